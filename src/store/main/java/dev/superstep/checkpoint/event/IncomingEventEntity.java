package dev.superstep.checkpoint.event;

import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import jakarta.persistence.Table;
import java.time.Instant;
import org.jspecify.annotations.NullUnmarked;

/// An event from outside. It is the list of columns: statements write and read them.
@Entity
@NullUnmarked
@Table(name = "incoming_event")
class IncomingEventEntity {
  @Id String id;
  String type;
  byte[] content;
  Instant receivedAt;
  Instant expiresAt;
  boolean delivered;
}
