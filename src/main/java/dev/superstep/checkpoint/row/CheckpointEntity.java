package dev.superstep.checkpoint.row;

import dev.superstep.checkpoint.codec.EventCodec;
import dev.superstep.engine.run.Event;
import jakarta.persistence.Embeddable;
import jakarta.persistence.EmbeddedId;
import jakarta.persistence.Entity;
import jakarta.persistence.Table;
import java.time.Instant;
import java.util.List;
import org.hibernate.annotations.Immutable;
import org.jspecify.annotations.NullUnmarked;
import org.jspecify.annotations.Nullable;

/// One commit of a run. It is inserted, never updated: as an entity, or by a statement for many
/// runs ([CheckpointArrays]) that takes its columns from here.
@Entity
@Immutable
@SuppressWarnings("UnusedVariable") // queries and the table know more of it than Java does
@Table(name = "checkpoint")
public class CheckpointEntity {
  @EmbeddedId private Key key;
  private String kind;
  private int superstep;
  private int version;
  private long leaseEpoch;
  private int base;
  private long deltaBytes;
  private int snapshotBytes;
  private long firstEvent;
  private long lastEvent;
  private Instant committedAt;
  private byte[] stateHash;
  private byte[] content;
  private byte[] events;
  private byte @Nullable [] snapshot;

  @Embeddable
  public record Key(String run, int number) {}

  @NullUnmarked
  protected CheckpointEntity() {} // for Hibernate

  /// @param runEvents of the commit: the last ones of the run
  /// @param head as the commit has left it
  /// @param at database time of the commit
  public CheckpointEntity(
      String run,
      EncodedCheckpoint encodedCheckpoint,
      List<Event> runEvents,
      WrittenHead head,
      Instant at) {
    key = new Key(run, encodedCheckpoint.number());
    kind = encodedCheckpoint.storedKind();
    superstep = encodedCheckpoint.superstep();
    version = head.version();
    leaseEpoch = head.epoch();
    base = encodedCheckpoint.replayCost().base();
    deltaBytes = encodedCheckpoint.replayCost().deltaBytes();
    snapshotBytes = Math.toIntExact(encodedCheckpoint.replayCost().snapshotBytes());
    firstEvent = head.lastEvent() - runEvents.size() + 1;
    lastEvent = head.lastEvent();
    committedAt = at;
    stateHash = encodedCheckpoint.stateHash();
    content = encodedCheckpoint.content();
    events = EventCodec.bytes(runEvents);
    snapshot = encodedCheckpoint.snapshot();
  }
}
