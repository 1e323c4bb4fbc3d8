package dev.superstep.checkpoint;

import dev.superstep.engine.TaskRecord;
import jakarta.persistence.Embeddable;
import jakarta.persistence.EmbeddedId;
import jakarta.persistence.Entity;
import jakarta.persistence.Table;
import java.time.Instant;
import org.hibernate.annotations.Immutable;
import org.jspecify.annotations.NullUnmarked;

/// The outcome of a task whose siblings were still open (E10.3).
@Entity
@Immutable
@SuppressWarnings("UnusedVariable") // queries and the table know more of it than Java does
@Table(name = "recorded_task")
class RecordedTaskEntity {
  @EmbeddedId private Key key;
  private int generation;
  private long leaseEpoch;
  private byte[] content;
  private Instant recordedAt;

  @Embeddable
  record Key(String run, int superstep, String task) {}

  @NullUnmarked
  protected RecordedTaskEntity() {} // for Hibernate

  TaskRecord record() {
    return record(content, key.superstep());
  }

  static TaskRecord record(byte[] content, int superstep) {
    return TaskRecordCodec.read(
        Stored.object(content).form("the outcome of a task").get("t"), superstep);
  }

  static byte[] bytes(TaskRecord record) {
    return Stored.bytes(
        new ObjectWriter()
            .put("v", StoredForm.NEWEST)
            .put("t", TaskRecordCodec.write(record))
            .value());
  }
}
