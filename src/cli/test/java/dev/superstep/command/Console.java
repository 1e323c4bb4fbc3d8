package dev.superstep.command;

import dev.superstep.testing.TestedDefinition;
import java.io.PrintWriter;
import java.io.StringWriter;

/// Runs commands and keeps what they write.
public final class Console {
  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  /// @return the exit code
  public int run(String... arguments) {
    return SuperstepCommand.of(
            new Output(new PrintWriter(out, true), new PrintWriter(err, true)),
            () -> TestedDefinition.READER)
        .execute(arguments);
  }

  public String out() {
    return out.toString();
  }

  public String err() {
    return err.toString();
  }
}
