package dev.superstep.checkpoint.row;

import jakarta.persistence.Column;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import jakarta.persistence.Table;
import java.time.Instant;
import org.jspecify.annotations.NullUnmarked;
import org.jspecify.annotations.Nullable;

/// The head of a run as the store sees it: what drivers write and what fences them. It is named in
/// queries only: every change is one conditional update whose count decides. API calls see the
/// other side of the row, `run.store.RunEntity`, which the store cannot use.
@Entity
@Table(name = "run")
class RunHeadEntity {
  @Id private String id;
  @Column private String graph;
  @Column private int version;
  @Column private String status;
  @Column private int superstep;
  @Column private int checkpoint;
  @Column private long eventSeq;
  @Column private long leaseEpoch;
  @Column private @Nullable String owner;
  @Column private short takeovers;
  @Column private long driverWrites;
  @Column private long wake;
  @Column private int answers;
  @Column private @Nullable Instant cancelRequestedAt;
  @Column private @Nullable Instant wakesAt;
  @Column private @Nullable Instant queuedAt;
  @Column private long elapsedMs;
  @Column private int passedSuperstep;
  @Column private boolean passedAfter;
  @Column private boolean passedBefore;
  @Column private byte @Nullable [] breakpoint;
  @Column private byte @Nullable [] error;
  @Column private @Nullable String errorCode;
  @Column private short priority;
  @Column private @Nullable Instant finishedAt;

  @NullUnmarked
  protected RunHeadEntity() {} // for Hibernate
}
