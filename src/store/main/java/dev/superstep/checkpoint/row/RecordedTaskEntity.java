package dev.superstep.checkpoint.row;

import dev.superstep.checkpoint.ObjectWriter;
import dev.superstep.checkpoint.StoredForm;
import dev.superstep.checkpoint.StoredObject;
import dev.superstep.checkpoint.TaskRecordCodec;
import dev.superstep.engine.checkpoint.TaskRecord;
import jakarta.persistence.Column;
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
@Table(name = "recorded_task")
class RecordedTaskEntity {
  @EmbeddedId private RecordedTaskKey key;
  @Column private int generation;
  @Column private long leaseEpoch;
  private byte[] content;
  @Column private Instant recordedAt;

  @Embeddable
  record RecordedTaskKey(String run, int superstep, String task) {}

  @NullUnmarked
  protected RecordedTaskEntity() {} // for Hibernate

  public TaskRecord record() {
    return record(content, key.superstep());
  }

  public static TaskRecord record(byte[] content, int superstep) {
    return TaskRecordCodec.read(
        StoredObject.object(content).form("the outcome of a task").get("t"), superstep);
  }

  public static byte[] bytes(TaskRecord record) {
    return StoredObject.bytes(
        new ObjectWriter()
            .put("v", StoredForm.WRITTEN)
            .put("t", TaskRecordCodec.write(record))
            .value());
  }
}
