package dev.superstep.checkpoint.row;

import dev.superstep.checkpoint.EventCodec;
import dev.superstep.engine.run.Event;
import jakarta.persistence.Column;
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
@Table(name = "checkpoint")
class CheckpointEntity {
  @SuppressWarnings("UnusedVariable") // for queries
  @EmbeddedId
  private CheckpointKey key;

  @Column private String kind;
  @Column private int superstep;
  @Column private int version;
  @Column private long leaseEpoch;
  @Column private int base;
  @Column private long deltaBytes;
  @Column private int snapshotBytes;
  @Column private long firstEvent;
  @Column private long lastEvent;
  @Column private Instant committedAt;
  @Column private byte[] stateHash;
  @Column private byte[] content;
  @Column private byte[] events;
  @Column private byte @Nullable [] snapshot;

  @Embeddable
  public record CheckpointKey(String run, int number) {}

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
    key = new CheckpointKey(run, encodedCheckpoint.number());
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
