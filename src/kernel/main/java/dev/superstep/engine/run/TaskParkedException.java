package dev.superstep.engine.run;

import java.time.Instant;

/// Carries out of a node that its task has to wait for something that it shares with others. The
/// attempt does not count: it begins anew when the time has come.
public final class TaskParkedException extends RuntimeException {
  private static final long serialVersionUID = 1L;
  private final Instant until;

  public TaskParkedException(String message, Instant until) {
    super(message, null, false, false);
    this.until = until;
  }

  public Instant until() {
    return until;
  }
}
