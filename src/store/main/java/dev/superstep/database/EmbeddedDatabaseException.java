package dev.superstep.database;

/// The embedded database cannot or must not start. The service does not start either.
final class EmbeddedDatabaseException extends RuntimeException {

  private final String action;

  EmbeddedDatabaseException(String description, String action) {
    super(description);
    this.action = action;
  }

  EmbeddedDatabaseException(String description, String action, Throwable cause) {
    super(description, cause);
    this.action = action;
  }

  /// What the operator can do about it.
  String action() {
    return action;
  }
}
