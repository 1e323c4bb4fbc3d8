package dev.superstep.security;

/// In production the service does not start open, nor with keys that can be guessed.
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
