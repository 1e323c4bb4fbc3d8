package dev.superstep.checkpoint.inbox;

import jakarta.persistence.Embeddable;
import jakarta.persistence.EmbeddedId;
import jakarta.persistence.Entity;
import jakarta.persistence.Table;
import java.time.Instant;
import org.jspecify.annotations.NullUnmarked;
import org.jspecify.annotations.Nullable;

/// A message to a run. It is the list of columns: statements write and read them.
@Entity
@NullUnmarked
@Table(name = "run_message")
class RunMessageEntity {
  @EmbeddedId RunMessageKey key;
  String id;
  String channel;
  byte[] value;
  String said;
  String ifEnded;
  @Nullable String sender;
  Instant sentAt;
  @Nullable Integer checkpoint;
  @Nullable Integer superstep;
  boolean rejected;
  @Nullable String nextRun;

  @Embeddable
  record RunMessageKey(String run, int seq) {}
}
