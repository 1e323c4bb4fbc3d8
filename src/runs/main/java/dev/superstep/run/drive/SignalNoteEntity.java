package dev.superstep.run.drive;

import jakarta.persistence.Embeddable;
import jakarta.persistence.EmbeddedId;
import jakarta.persistence.Entity;
import jakarta.persistence.Table;
import org.jspecify.annotations.NullUnmarked;

/// A note for the replica that drives a run. Queries only use it.
@Entity
@NullUnmarked
@Table(name = "news")
class SignalNoteEntity {
  @EmbeddedId NoteKey key;

  @Embeddable
  record NoteKey(String replica, String run) {}
}
