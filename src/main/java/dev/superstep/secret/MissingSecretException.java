package dev.superstep.secret;

/// A secret is not where its reference says. The message names the reference only.
public final class MissingSecretException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  MissingSecretException(String message) {
    super(message);
  }

  MissingSecretException(String message, Throwable cause) {
    super(message, cause);
  }
}
