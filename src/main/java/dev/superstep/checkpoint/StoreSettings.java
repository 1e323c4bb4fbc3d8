package dev.superstep.checkpoint;

import java.time.Duration;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.util.unit.DataSize;

/// @param patience for how long a write is tried again while the database is away
@ConfigurationProperties("superstep.store")
record StoreSettings(@DefaultValue("30s") Duration patience, @DefaultValue Batch batch) {

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
