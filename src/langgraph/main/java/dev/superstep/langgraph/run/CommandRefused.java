package dev.superstep.langgraph.run;

import java.util.Objects;

/// A command that is not performed.
final class CommandRefused extends RuntimeException {
  private static final long serialVersionUID = 1;
  private final String error;

  /// @param error as the protocol calls it
  CommandRefused(String error, String message) {
    super(message);
    this.error = error;
  }

  String error() {
    return error;
  }

  String reason() {
    return Objects.requireNonNullElse(getMessage(), error);
  }
}
