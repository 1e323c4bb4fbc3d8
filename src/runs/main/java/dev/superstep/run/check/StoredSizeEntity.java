package dev.superstep.run.check;

import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import jakarta.persistence.Table;
import java.time.Instant;
import org.jspecify.annotations.NullUnmarked;

/// What is stored for a run, as of the last count. Only the statements of [SizeSlices] use it.
///
/// `checkpoints` and `events` say what is part of `appended`: rows that are inserted and never
/// changed. `other` has questions, answers and open supersteps, and `ended` says that the run does
/// not change any more.
@Entity
@NullUnmarked
@Table(name = "stored_size")
class StoredSizeEntity {
  @Id String run;
  String caller;
  Instant createdAt;
  int checkpoints;
  long events;
  long appended;
  long other;
  boolean ended;
}
