package dev.superstep.node.tool;

/// A tool written in Java that no model could use. The service does not start.
final class UnusableToolException extends IllegalStateException {
  private static final long serialVersionUID = 1L;
  private final String action;

  UnusableToolException(String description, String action) {
    super(description);
    this.action = action;
  }

  /// What its author can do about it.
  String action() {
    return action;
  }
}
