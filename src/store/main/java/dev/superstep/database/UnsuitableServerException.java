package dev.superstep.database;

/// The database, or what stands before it, takes away a guarantee of the service, which does not
/// start.
final class UnsuitableServerException extends RuntimeException {
  private static final long serialVersionUID = 1L;
  private final String action;

  UnsuitableServerException(String description, String action) {
    super(description);
    this.action = action;
  }

  UnsuitableServerException(String description, String action, Throwable cause) {
    super(description, cause);
    this.action = action;
  }

  /// The remedy for the operator.
  String action() {
    return action;
  }
}
