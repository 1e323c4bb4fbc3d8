package dev.superstep.engine.run;

import java.time.Duration;

/// How far a driver may go on before its commits are on disk, where nobody can notice.
///
/// @param time from the first of them
/// @param supersteps of them; 0: the driver waits for each commit
/// @param bytes canonical, of what their tasks have returned
public record Deferral(Duration time, int supersteps, long bytes) {
  public static final Deferral DEFAULT = new Deferral(Duration.ofMillis(20), 64, 256L << 10);
  public static final Deferral NONE = new Deferral(Duration.ZERO, 0, 0);
}
