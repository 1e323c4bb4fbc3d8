package dev.superstep.checkpoint.step;

import jakarta.persistence.Embeddable;
import jakarta.persistence.EmbeddedId;
import jakarta.persistence.Entity;
import jakarta.persistence.Table;
import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.NullUnmarked;

/// A step of a task. It is the list of columns: statements write and read them.
@Entity
@NullUnmarked
@Table(name = "task_step")
class TaskStepEntity {
  @EmbeddedId StepKey key;
  int superstep;
  String name;
  String kind;
  UUID attempt;
  byte[] content;
  Instant recordedAt;

  @Embeddable
  record StepKey(String run, String task, int ordinal) {}
}
