package dev.superstep.checkpoint.event;

import dev.superstep.checkpoint.codec.StoredObject;
import dev.superstep.engine.run.Event;
import dev.superstep.graph.NodeId;
import jakarta.persistence.Embeddable;
import jakarta.persistence.EmbeddedId;
import jakarta.persistence.Entity;
import jakarta.persistence.Table;
import java.time.Instant;
import java.util.Optional;
import org.hibernate.annotations.Immutable;
import org.jspecify.annotations.NullUnmarked;
import org.jspecify.annotations.Nullable;

/// A stored event that belongs to no checkpoint.
@Entity
@Immutable
@Table(name = "run_event")
class RunEventEntity {
  @EmbeddedId private Key key;
  private String type;
  private @Nullable Integer superstep;
  private @Nullable String node;
  private @Nullable String dispatchId;
  private byte[] data;
  private Instant at;

  @Embeddable
  record Key(String run, long seq) {}

  @NullUnmarked
  protected RunEventEntity() {} // for Hibernate

  StoredEvent event() {
    var event =
        new Event(
            type,
            Optional.ofNullable(superstep),
            Optional.ofNullable(node).map(NodeId::new),
            Optional.ofNullable(dispatchId),
            StoredObject.object(data).value());
    return new StoredEvent(key.seq(), at, event);
  }
}
