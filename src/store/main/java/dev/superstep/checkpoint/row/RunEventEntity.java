package dev.superstep.checkpoint.row;

import dev.superstep.checkpoint.StoredObject;
import dev.superstep.engine.run.Event;
import dev.superstep.graph.NodeId;
import jakarta.persistence.Embeddable;
import jakarta.persistence.EmbeddedId;
import jakarta.persistence.Entity;
import jakarta.persistence.Table;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.hibernate.annotations.Immutable;
import org.jspecify.annotations.NullUnmarked;
import org.jspecify.annotations.Nullable;

/// A stored event that belongs to no checkpoint.
@Entity
@Immutable
@Table(name = "run_event")
class RunEventEntity {
  @EmbeddedId private EventKey key;
  private String type;
  private @Nullable Integer superstep;
  private @Nullable String node;
  private @Nullable String dispatchId;
  private byte[] data;
  private Instant at;

  @Embeddable
  public record EventKey(String run, long seq) {}

  @NullUnmarked
  protected RunEventEntity() {} // for Hibernate

  private RunEventEntity(EventKey key, Event event, Instant at) {
    this.key = key;
    this.type = event.type();
    this.superstep = event.superstep().orElse(null);
    this.node = event.node().map(NodeId::value).orElse(null);
    this.dispatchId = event.dispatchId().orElse(null);
    this.data = StoredObject.bytes(event.data());
    this.at = at;
  }

  /// The rows of the last `events` of a run.
  ///
  /// @param last seq of the last one
  public static List<RunEventEntity> of(String run, List<Event> events, long last, Instant at) {
    long before = last - events.size();
    return IntStream.range(0, events.size())
        .mapToObj(i -> new RunEventEntity(new EventKey(run, before + i + 1), events.get(i), at))
        .toList();
  }

  public long seq() {
    return key.seq();
  }

  public Instant at() {
    return at;
  }

  public Event event() {
    return new Event(
        type,
        Optional.ofNullable(superstep),
        Optional.ofNullable(node).map(NodeId::new),
        Optional.ofNullable(dispatchId),
        StoredObject.object(data).value());
  }
}
