package dev.superstep.checkpoint;

import dev.superstep.settings.Setting;
import java.time.Duration;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.util.unit.DataSize;

/// @param patience for how long a write is retried while the database is away or refuses it; then
///   its outcomes are lost, and the run is queued again
@ConfigurationProperties("superstep.store")
public record StoreSettings(
    @DefaultValue("1h") Duration patience,
    @DefaultValue Batch batch,
    @DefaultValue Async async,
    @DefaultValue Exit exit) {

  public StoreSettings {
    new Setting("superstep.store.patience").within(Duration.ZERO, Duration.ofDays(1), patience);
  }

  /// @param behindMax supersteps of one run that may be committed and not on disk yet
  public record Async(@DefaultValue("50") int behindMax) {
    public Async {
      new Setting("superstep.store.async.behind-max").within(1, 1_000_000, behindMax);
    }
  }

  /// @param look how often a run that writes nothing checks whether it has been cancelled
  /// @param eventsMax events kept in memory; with more, a superstep is written nevertheless
  public record Exit(@DefaultValue("1s") Duration look, @DefaultValue("10000") int eventsMax) {
    public Exit {
      new Setting("superstep.store.exit.look")
          .within(Duration.ofMillis(1), Duration.ofHours(1), look);
      new Setting("superstep.store.exit.events-max").within(1, 10_000_000, eventsMax);
    }
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

    public WriteBatcher.Bounds bounds() {
      return new WriteBatcher.Bounds(writers, countMax, bytesMax.toBytes());
    }
  }
}
