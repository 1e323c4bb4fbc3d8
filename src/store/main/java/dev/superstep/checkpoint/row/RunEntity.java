package dev.superstep.checkpoint.row;

import dev.superstep.checkpoint.CheckpointRef;
import dev.superstep.checkpoint.HeadCodec;
import dev.superstep.checkpoint.StoredForm;
import dev.superstep.engine.checkpoint.Pending;
import dev.superstep.engine.run.BirthId;
import dev.superstep.engine.run.RunError;
import dev.superstep.engine.run.RunHead;
import dev.superstep.engine.run.RunStatus;
import jakarta.persistence.Column;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import jakarta.persistence.Table;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.hibernate.annotations.ColumnTransformer;
import org.hibernate.annotations.DynamicUpdate;
import org.jspecify.annotations.NullUnmarked;
import org.jspecify.annotations.Nullable;

/// The head of a run. API calls insert, read and change it, always under a lock of its row. Drivers
/// change it by conditional updates, whose count decides.
@Entity
@DynamicUpdate
@Table(name = "run")
public class RunEntity {
  /// The value of `birth_id` of a run that is inserted now: replicas of a release that does not
  /// read the column derive from the run's id, so that while there are any, runs have none.
  public static final String NEW_BIRTH_ID =
      "case when every_replica_reads_birth_ids() then gen_random_uuid() end";

  @Id private String id;

  /// Null before it is inserted, too: the statement makes it.
  @Column(updatable = false)
  @ColumnTransformer(write = "coalesce(?, " + NEW_BIRTH_ID + ")")
  private @Nullable UUID birthId;

  private RunOrigin origin;

  /// Null before it is inserted: then what any graph's run reports to webhooks.
  @Column(updatable = false)
  @ColumnTransformer(write = "coalesce(?, reports_by_default())")
  private @Nullable Short reports;

  private String status;
  private int superstep;
  private int checkpoint;
  private short form = 1;
  @Column private long eventSeq;
  private long leaseEpoch;
  private @Nullable String owner;
  @Column private short takeovers;
  @Column private long driverWrites;
  private long wake;
  @Column private int answers;
  @Column private int releasedThrough = -1;
  private @Nullable Instant cancelRequestedAt;
  private @Nullable Instant wakesAt;
  @Column private @Nullable Instant queuedAt;
  private long elapsedMs;
  private int passedSuperstep = -1;
  private boolean passedAfter;
  private boolean passedBefore;
  private byte @Nullable [] breakpoint;

  /// A committed superstep from which on it does not go on by itself; null: it does.
  @Column private @Nullable Integer pauseSuperstep;

  private byte @Nullable [] error;

  /// That of `error`, for searches.
  @Column private @Nullable String errorCode;

  /// Whether its first checkpoint is an edit of its thread's state.
  @Column private boolean edited;

  @Column private @Nullable Long turn;
  private @Nullable String fromRun;
  private @Nullable Integer fromCheckpoint;

  /// Set by retention: the last checkpoint that was trimmed, and its link with that number.
  @Column private @Nullable Integer trimmedTo;

  @Column private byte @Nullable [] trimmedLink;

  /// Null before it is inserted: then the database's time.
  @Column(updatable = false)
  @ColumnTransformer(write = "coalesce(?, clock_timestamp())")
  private @Nullable Instant createdAt;

  private @Nullable Instant startedAt;
  @Column private @Nullable Instant finishedAt;

  @NullUnmarked
  protected RunEntity() {}

  /// A run that waits until its thread is free.
  ///
  /// @param superstep of its first checkpoint; 0 while it has none
  /// @param startAt the earliest time at which it may begin
  public RunEntity(String id, RunOrigin origin, int superstep, Optional<Instant> startAt) {
    this.id = id;
    this.origin = origin;
    this.status = StoredStatus.ENQUEUED;
    this.superstep = superstep;
    this.wakesAt = startAt.orElse(null);
    if (origin.threadId() != null) {
      this.fromRun = origin.parentRun();
      this.fromCheckpoint = origin.parentCheckpoint();
    }
  }

  /// The checkpoint of its thread from whose state it has begun, or is to begin.
  public Optional<CheckpointRef> from() {
    return fromRun == null || fromCheckpoint == null
        ? Optional.empty()
        : Optional.of(new CheckpointRef(fromRun, fromCheckpoint));
  }

  /// Whether its thread has the states that it has committed: not before it begins, nor after it
  /// was rolled back.
  public boolean hasTurn() {
    return turn != null;
  }

  public void beginFrom(CheckpointRef checkpoint) {
    fromRun = checkpoint.run();
    fromCheckpoint = checkpoint.checkpoint();
  }

  /// Begins as a fork of a run that has committed this superstep.
  public void beginAt(int committed) {
    superstep = committed;
  }

  public String id() {
    return id;
  }

  public BirthId birthId() {
    return BirthId.of(id, birthId);
  }

  public RunOrigin origin() {
    return origin;
  }

  public RunStatus status() {
    return StoredStatus.read(status);
  }

  /// The number of its last event, as of when it was read.
  public long eventSeq() {
    return eventSeq;
  }

  /// Whether it waits until its thread is free.
  public boolean isEnqueued() {
    return status.equals(StoredStatus.ENQUEUED);
  }

  public boolean hasBegun() {
    return startedAt != null;
  }

  public boolean cancelRequested() {
    return cancelRequestedAt != null;
  }

  public Optional<Instant> wakesAt() {
    return Optional.ofNullable(wakesAt);
  }

  public int superstep() {
    return superstep;
  }

  public int checkpoint() {
    return checkpoint;
  }

  public long epoch() {
    return leaseEpoch;
  }

  /// Whether it has a scheduled time.
  public boolean isTimed() {
    return wakesAt != null;
  }

  public long wake() {
    return wake;
  }

  /// Whether this release can read everything that is stored of it.
  public boolean isReadable() {
    return form <= StoredForm.NEWEST;
  }

  public boolean owned() {
    return owner != null;
  }

  public Optional<String> owner() {
    return Optional.ofNullable(owner);
  }

  /// Whether the run has no driver and waits for none.
  public boolean resting() {
    return owner == null
        && switch (status()) {
          case WAITING, INTERRUPTED, FAILED -> true;
          case QUEUED, RUNNING, CANCELLING, SUCCEEDED, CANCELLED -> false;
        };
  }

  public Duration elapsed() {
    return Duration.ofMillis(elapsedMs);
  }

  public Optional<RunError> error() {
    return Optional.ofNullable(error).map(HeadCodec::error);
  }

  private void error(@Nullable RunError failure) {
    error = failure == null ? null : HeadCodec.bytes(failure);
    errorCode = failure == null ? null : failure.error().code();
  }

  public Optional<RunHead.Breakpoint> breakpoint() {
    return Optional.ofNullable(breakpoint).map(HeadCodec::breakpoint);
  }

  /// Makes the run claimable.
  public void queue(Instant now) {
    notWaiting(now);
    status = StoredStatus.apiName(RunStatus.QUEUED);
    wake++;
    takeovers = 0;
    error(null);
    breakpoint = null;
    finishedAt = null;
  }

  /// A wait that ends early was counted in full when it began.
  private void notWaiting(Instant now) {
    if (status() == RunStatus.WAITING && wakesAt != null && wakesAt.isAfter(now)) {
      elapsedMs -= Duration.between(now, wakesAt).toMillis();
    }
    wakesAt = null;
  }

  /// Gives a queued run to `replica`, like a claim.
  ///
  /// @param epoch above that of the claim before
  public void own(String replica, long epoch, Instant now) {
    owner = replica;
    leaseEpoch = epoch;
    status = StoredStatus.apiName(RunStatus.RUNNING);
    if (startedAt == null) {
      startedAt = now;
    }
  }

  /// Lets failures be tried again (E34).
  ///
  /// @param last number of the last checkpoint
  public void releaseFailures(int last) {
    releasedThrough = last;
  }

  /// Records that the breakpoint the run stands at is passed (E38). A pause is none of the graph.
  public void passBreakpoint() {
    breakpoint()
        .filter(it -> !it.isPause())
        .ifPresent(it -> {
          passedSuperstep = superstep;
          passedAfter = true;
          passedBefore = it.when().equals("before");
        });
  }

  public boolean isAtBreakpoint() {
    return breakpoint != null;
  }

  /// Whether a call has paused it, so that only a call has it go on.
  public boolean isPaused() {
    return breakpoint().filter(RunHead.Breakpoint::isPause).isPresent();
  }

  /// Whether it is to pause, and has not yet.
  public boolean isPausing() {
    return pauseSuperstep != null && pauseSuperstep <= superstep;
  }

  /// Asks the driver to pause the run; it sees that with its next commit.
  public void requestPause() {
    pauseSuperstep = 0;
    needsPauses();
  }

  /// Has the run go on for one superstep, past the breakpoint before it.
  public void step() {
    pauseSuperstep = superstep + 1;
    needsPauses();
    passedSuperstep = superstep;
    passedAfter = true;
    passedBefore = true;
  }

  /// Takes back what was asked about pauses.
  ///
  /// @return whether anything was
  public boolean withdrawPause() {
    boolean requested = pauseSuperstep != null;
    pauseSuperstep = null;
    return requested;
  }

  /// Pauses a run that has no driver.
  ///
  /// @param nodes that it goes on with
  public void pause(List<String> nodes, Instant now) {
    notWaiting(now);
    if (startedAt == null) {
      startedAt = now;
    }
    pauseSuperstep = null;
    needsPauses();
    status = StoredStatus.apiName(RunStatus.INTERRUPTED);
    breakpoint = HeadCodec.bytes(new RunHead.Breakpoint(RunHead.Breakpoint.PAUSE, nodes));
    wake++;
  }

  private void needsPauses() {
    form = (short) Math.max(form, StoredForm.WITH_PAUSES);
  }

  /// How many answers it has had, and what counts like one.
  public int answers() {
    return answers;
  }

  public void countAnswers(int added) {
    answers += added;
  }

  /// Marks its first checkpoint as an edit.
  public void edit() {
    edited = true;
  }

  /// Makes its newest checkpoint the state of its thread.
  public void takeTurn(long number) {
    turn = number;
  }

  /// Excludes from its thread whatever it has committed and will commit.
  public void rollBack() {
    turn = null;
  }

  /// Ends the run as soon as it has begun: it waits for its thread until then.
  public void endWhenBegun(Instant at) {
    cancelRequestedAt = at;
  }

  /// Makes a run that waited for its thread claimable, at once or when `at` has come.
  public void dequeue(Optional<Instant> at) {
    wakesAt = at.orElse(null);
    status = StoredStatus.apiName(RunStatus.QUEUED);
    wake++;
  }

  /// Puts a run that has not begun to rest behind its first checkpoint: it stands before what is
  /// pending, or has succeeded if that is the end.
  public void restBehindFirst(Pending pending, Instant at) {
    startedAt = at;
    wakesAt = null;
    if (pending.isEnd()) {
      status = StoredStatus.apiName(RunStatus.SUCCEEDED);
      finishedAt = at;
    } else {
      var nodes = pending.activations().stream().map(it -> it.node().value()).distinct().toList();
      status = StoredStatus.apiName(RunStatus.INTERRUPTED);
      breakpoint = HeadCodec.bytes(new RunHead.Breakpoint("before", nodes));
    }
  }

  /// Fails a run that has no driver.
  public void fail(RunError failure, Instant at) {
    error(failure);
    status = StoredStatus.apiName(RunStatus.FAILED);
    wakesAt = null;
    finishedAt = at;
  }

  /// Ends a claimed run that cannot be driven: fails it, or cancels it if that was asked for.
  public void giveUp(RunError failure, Instant at) {
    owner = null;
    takeovers = 0;
    finishedAt = at;
    error(cancelRequested() ? null : failure);
    status = StoredStatus.apiName(cancelRequested() ? RunStatus.CANCELLED : RunStatus.FAILED);
  }

  /// Asks the driver to end the run; it sees the flag with its next commit.
  public void requestCancel(Instant at) {
    if (cancelRequestedAt == null) {
      cancelRequestedAt = at;
    }
    status = StoredStatus.apiName(RunStatus.CANCELLING);
  }

  /// Ends a run that has no driver.
  public void cancel(Instant at) {
    cancelRequestedAt = at;
    status = StoredStatus.apiName(RunStatus.CANCELLED);
    wakesAt = null;
    breakpoint = null;
    finishedAt = at;
  }
}
