package dev.superstep.problem;

/// A setting with a value that the service cannot work with. It does not start.
public final class InvalidSettingException extends IllegalArgumentException {
  private static final long serialVersionUID = 1L;
  private final String action;

  InvalidSettingException(String description, String action) {
    super(description);
    this.action = action;
  }

  /// The remedy for the operator.
  String action() {
    return action;
  }
}
