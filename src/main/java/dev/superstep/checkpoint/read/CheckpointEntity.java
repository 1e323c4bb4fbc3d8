package dev.superstep.checkpoint.read;

import jakarta.persistence.Embeddable;
import jakarta.persistence.EmbeddedId;
import jakarta.persistence.Entity;
import jakarta.persistence.Table;
import java.time.Instant;
import org.hibernate.annotations.Immutable;
import org.jspecify.annotations.NullUnmarked;
import org.jspecify.annotations.Nullable;

/// One commit of a run. Rows are inserted by the statements of `checkpoint.commit`, by
/// `row.CheckpointWriter` and with new runs, and never updated.
@Entity
@Immutable
@SuppressWarnings("UnusedVariable") // queries and the table know more of it than Java does
@Table(name = "checkpoint")
class CheckpointEntity {
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
  record Key(String run, int number) {}

  @NullUnmarked
  protected CheckpointEntity() {} // for Hibernate

  Key key() {
    return key;
  }

  long leaseEpoch() {
    return leaseEpoch;
  }
}
