package dev.superstep.checkpoint;

import dev.superstep.problem.Setting;
import java.time.Duration;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.util.unit.DataSize;

/// @param patience for how long a write is retried while the database is away or refuses it; then
///   its outcomes are lost, and the run is queued again
@ConfigurationProperties("superstep.store")
public record StoreSettings(@DefaultValue("1h") Duration patience, @DefaultValue Batch batch) {

  public StoreSettings {
    new Setting("superstep.store.patience").within(Duration.ZERO, Duration.ofDays(1), patience);
  }

  /// Limits of one shared statement.
  ///
  /// @param writers statements at a time
  /// @param countMax runs in one statement
  /// @param bytesMax size of one statement, unless a single commit is larger
  public record Batch(
      @DefaultValue("1") int writers,
      @DefaultValue("256") int countMax,
      @DefaultValue("4MB") DataSize bytesMax) {

    public Batch {
      new Setting("superstep.store.batch.writers").within(1, 100, writers);
      new Setting("superstep.store.batch.count-max").within(1, 10_000, countMax);
      new Setting("superstep.store.batch.bytes-max").size(bytesMax);
    }

    public WriteBatcher.BatchBounds bounds() {
      return new WriteBatcher.BatchBounds(writers, countMax, bytesMax.toBytes());
    }
  }
}
