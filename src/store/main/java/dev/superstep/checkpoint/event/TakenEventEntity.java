package dev.superstep.checkpoint.event;

import jakarta.persistence.Embeddable;
import jakarta.persistence.EmbeddedId;
import jakarta.persistence.Entity;
import jakarta.persistence.Table;
import org.jspecify.annotations.NullUnmarked;

/// That a run has taken an event. It is the list of columns: a statement writes them.
@Entity
@NullUnmarked
@Table(name = "taken_event")
class TakenEventEntity {
  @EmbeddedId TakenEventKey key;
  String task;

  @Embeddable
  record TakenEventKey(String run, String event) {}
}
