package dev.superstep.client;

/// The service could not be reached, or did not answer in time, however often it was asked.
public final class ServiceUnreachableException extends SuperstepException {
  private static final long serialVersionUID = 1;

  ServiceUnreachableException(String message, Throwable cause) {
    super(message, cause);
  }
}
