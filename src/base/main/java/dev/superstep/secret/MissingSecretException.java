package dev.superstep.secret;

/// Thrown when a secret is not where its reference points. The message names the reference only.
public final class MissingSecretException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  MissingSecretException(String message) {
    super(message);
  }

  MissingSecretException(String message, Throwable cause) {
    super(message, cause);
  }
}
