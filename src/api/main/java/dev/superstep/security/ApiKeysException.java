package dev.superstep.security;

/// The service must not start: in production it needs API keys that cannot be guessed.
final class ApiKeysException extends RuntimeException {
  private static final long serialVersionUID = 1L;
  private final String action;

  /// @param description without any key in it
  /// @param action what the operator can do
  ApiKeysException(String description, String action) {
    super(description);
    this.action = action;
  }

  String action() {
    return action;
  }
}
