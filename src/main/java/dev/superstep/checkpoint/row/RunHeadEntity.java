package dev.superstep.checkpoint.row;

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
@SuppressWarnings("UnusedVariable") // for queries
class RunHeadEntity {
  @Id private String id;
  private String graph;
  private int version;
  private String status;
  private int superstep;
  private int checkpoint;
  private long eventSeq;
  private long leaseEpoch;
  private @Nullable String owner;
  private short takeovers;
  private long driverWrites;
  private long wake;
  private int answers;
  private @Nullable Instant cancelRequestedAt;
  private @Nullable Instant wakesAt;
  private @Nullable Instant queuedAt;
  private long elapsedMs;
  private int passedSuperstep;
  private boolean passedAfter;
  private boolean passedBefore;
  private byte @Nullable [] breakpoint;
  private byte @Nullable [] error;
  private short priority;
  private @Nullable Instant finishedAt;

  @NullUnmarked
  protected RunHeadEntity() {} // for Hibernate
}
