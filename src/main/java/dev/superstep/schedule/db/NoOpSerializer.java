package dev.superstep.schedule.db;

import com.github.kagkarlsson.scheduler.serializer.Serializer;
import org.jspecify.annotations.Nullable;

/// Executions carry no data: ids live in the instance name, and nothing is ever deserialized.
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
