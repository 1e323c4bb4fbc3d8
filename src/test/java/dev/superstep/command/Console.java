package dev.superstep.command;

import dev.superstep.testing.TestedDefinition;
import java.io.PrintWriter;
import java.io.StringWriter;

/// Runs commands and keeps what they write.
final class Console {
  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  /// @return the exit code
  int run(String... arguments) {
    return SuperstepCommand.of(
            new Output(new PrintWriter(out, true), new PrintWriter(err, true)),
            () -> TestedDefinition.READER)
        .execute(arguments);
  }

  String out() {
    return out.toString();
  }

  String err() {
    return err.toString();
  }
}
