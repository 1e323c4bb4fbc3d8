package dev.superstep.checkpoint;

import java.time.Duration;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.util.unit.DataSize;

/// @param patience for how long a write is tried again while the database is away
@ConfigurationProperties("superstep.store")
record StoreSettings(
    @DefaultValue("30s") Duration patience,
    @DefaultValue Batch batch,
    @DefaultValue Async async,
    @DefaultValue Exit exit) {

  /// @param behindMax supersteps of one run that may be committed and not on disk yet
  record Async(@DefaultValue("50") int behindMax) {}

  /// @param look how often a run that writes nothing looks whether it is still wanted
  /// @param eventsMax events kept in memory; with more, a superstep is written nevertheless
  record Exit(@DefaultValue("1s") Duration look, @DefaultValue("10000") int eventsMax) {}

  /// What shares one statement.
  ///
  /// @param writers statements at a time
  /// @param countMax runs in one statement
  /// @param bytesMax size of one statement, unless a single commit is larger
  record Batch(
      @DefaultValue("2") int writers,
      @DefaultValue("256") int countMax,
      @DefaultValue("4MB") DataSize bytesMax) {

    Lane.Bounds bounds() {
      return new Lane.Bounds(writers, countMax, bytesMax.toBytes());
    }
  }
}
