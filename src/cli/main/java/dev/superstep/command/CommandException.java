package dev.superstep.command;

/// Ends a command with a sentence for its user.
final class CommandException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  CommandException(String message) {
    super(message);
  }
}
