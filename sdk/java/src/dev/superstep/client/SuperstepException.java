package dev.superstep.client;

/// What every failure of this client is.
public class SuperstepException extends RuntimeException {
  private static final long serialVersionUID = 1;

  SuperstepException(String message, Throwable cause) {
    super(message, cause);
  }
}
