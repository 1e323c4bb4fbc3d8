package dev.superstep.client;

import dev.superstep.client.model.Run;

/// The time given to a wait is over. The run goes on.
public final class RunTimeoutException extends SuperstepException {
  private static final long serialVersionUID = 1;

  private final transient Run run;

  RunTimeoutException(Run run) {
    super(
        "run %s is %s, and the time to wait for it is over".formatted(run.id(), run.status()), null);
    this.run = run;
  }

  /// As it was last seen.
  public Run run() {
    return run;
  }
}
