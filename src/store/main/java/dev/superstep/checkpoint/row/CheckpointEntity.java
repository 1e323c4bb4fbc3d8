package dev.superstep.checkpoint.row;

import jakarta.persistence.Column;
import jakarta.persistence.Embeddable;
import jakarta.persistence.EmbeddedId;
import jakarta.persistence.Entity;
import jakarta.persistence.Table;
import java.time.Instant;
import org.hibernate.annotations.Immutable;
import org.jspecify.annotations.NullUnmarked;
import org.jspecify.annotations.Nullable;

/// One commit of a run. It is inserted, never updated, by statements that take its columns from
/// here ([CommitWriter], [CheckpointArrays]).
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
  @Column private byte @Nullable [] link;
  @Column private @Nullable Long seal;

  @Embeddable
  public record CheckpointKey(String run, int number) {}

  @NullUnmarked
  protected CheckpointEntity() {} // for Hibernate
}
