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
    checkStored("superstep.callers.stored-max", storedMax);
  }

  static void checkStored(String property, DataSize max) {
    if (max.isNegative() || max.compareTo(STORED_MAX) > 0) {
      throw new Setting(property)
          .invalid("is %s; it must be from 0B to %s".formatted(max, STORED_MAX));
    }
  }

  /// What this caller may have; 0: any amount.
  long max(QuotaKind kind, String caller) {
    long max =
        switch (kind) {
          case RUNS -> runsMax;
          case STREAMS -> streamsMax;
          case STORED -> storedMax.toBytes();
        };
    return caller.equals(Callers.EVERYBODY) ? max * EVERYBODY : max;
  }
}
