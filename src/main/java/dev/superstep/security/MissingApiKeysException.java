package dev.superstep.security;

/// In production the service does not start open.
final class MissingApiKeysException extends RuntimeException {

  MissingApiKeysException() {
    super("The profile prod does not start without API keys, and none are configured.");
  }
}
