package dev.superstep.schedule.db;

import com.github.kagkarlsson.scheduler.serializer.Serializer;
import org.jspecify.annotations.Nullable;

/// Serializes nothing: executions carry no data, as ids are in the instance name.
final class NoOpSerializer implements Serializer {

  @Override
  public byte @Nullable [] serialize(@Nullable Object data) {
    return null;
  }

  @Override
  public <T> @Nullable T deserialize(Class<T> type, byte @Nullable [] bytes) {
    return null;
  }
}
