package dev.superstep.run.check;

import dev.superstep.problem.Callers;
import dev.superstep.problem.Setting;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.util.unit.DataSize;

/// Bounds of one caller, that is one API key, at a time. Without keys there is one caller, whose
/// bounds are ten times as high.
///
/// @param runsMax runs that are queued, running, waiting or being cancelled
/// @param streamsMax streams of events open at one replica
/// @param storedMax bytes of runs, threads, versions of graphs and assistants, and items of the
///   memory that are kept; 0: unbounded
@ConfigurationProperties("superstep.callers")
public record CallerSettings(
    @DefaultValue("10000") int runsMax,
    @DefaultValue("1000") int streamsMax,
    @DefaultValue("10GB") DataSize storedMax) {
  private static final int EVERYBODY = 10;
  private static final DataSize STORED_MAX = DataSize.ofTerabytes(100_000);

  public CallerSettings {
    new Setting("superstep.callers.runs-max").within(1, 100_000_000, runsMax);
    new Setting("superstep.callers.streams-max").within(1, 1_000_000, streamsMax);
    if (storedMax.isNegative() || storedMax.compareTo(STORED_MAX) > 0) {
      throw new Setting("superstep.callers.stored-max")
          .invalid("is %s; it must be from 0B to %s".formatted(storedMax, STORED_MAX));
    }
  }

  /// The bounds of this caller.
  public CallerSettings of(String caller) {
    return caller.equals(Callers.EVERYBODY)
        ? new CallerSettings(
            Math.min(runsMax, 10_000_000) * EVERYBODY,
            Math.min(streamsMax, 100_000) * EVERYBODY,
            DataSize.ofBytes(
                Math.min(storedMax.toBytes(), STORED_MAX.toBytes() / EVERYBODY) * EVERYBODY))
        : this;
  }
}
