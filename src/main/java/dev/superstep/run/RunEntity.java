package dev.superstep.run;

import dev.superstep.checkpoint.HeadCodec;
import dev.superstep.checkpoint.StoredForm;
import dev.superstep.engine.Head;
import dev.superstep.engine.RunError;
import dev.superstep.engine.RunStatus;
import jakarta.persistence.Column;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import jakarta.persistence.Table;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.hibernate.annotations.DynamicUpdate;
import org.jspecify.annotations.NullUnmarked;
import org.jspecify.annotations.Nullable;

/// The head of a run, as API calls see and change it: always under a lock of its row. Drivers write
/// it through the checkpoint store.
@Entity
@DynamicUpdate
@Table(name = "run")
@SuppressWarnings("UnusedVariable") // some columns are only written
class RunEntity {
  @Id private String id;

  private RunOrigin origin;

  private String status;
  private int superstep;
  private int checkpoint;
  private short form = 1;
  private long eventSeq;
  private long leaseEpoch;
  private @Nullable String owner;
  private short takeovers;
  private long wake;
  private int answers;
  private int releasedThrough;
  private @Nullable Instant cancelRequestedAt;
  private @Nullable Instant wakesAt;
  private long elapsedMs;
  private int passedSuperstep;
  private boolean passedAfter;
  private boolean passedBefore;
  private byte @Nullable [] breakpoint;
  private byte @Nullable [] error;
  private @Nullable Long turn;

  @Column(updatable = false)
  private Instant createdAt;

  private @Nullable Instant startedAt;
  private @Nullable Instant finishedAt;

  @NullUnmarked
  protected RunEntity() {}

  String id() {
    return id;
  }

  RunOrigin origin() {
    return origin;
  }

  RunStatus status() {
    return StoredStatus.read(status);
  }

  /// Whether it waits until its thread is free.
  boolean isEnqueued() {
    return status.equals(StoredStatus.ENQUEUED);
  }

  boolean hasBegun() {
    return startedAt != null;
  }

  boolean cancelRequested() {
    return cancelRequestedAt != null;
  }

  Optional<Instant> wakesAt() {
    return Optional.ofNullable(wakesAt);
  }

  int superstep() {
    return superstep;
  }

  int checkpoint() {
    return checkpoint;
  }

  long epoch() {
    return leaseEpoch;
  }

  /// Whether it is to be looked at at some time.
  boolean isTimed() {
    return wakesAt != null;
  }

  long wake() {
    return wake;
  }

  /// Whether this release can read all that is stored of it.
  boolean isReadable() {
    return form <= StoredForm.NEWEST;
  }

  boolean owned() {
    return owner != null;
  }

  Optional<String> owner() {
    return Optional.ofNullable(owner);
  }

  /// Whether nobody drives the run or is about to.
  boolean resting() {
    return owner == null
        && switch (status()) {
          case WAITING, INTERRUPTED, FAILED -> true;
          case QUEUED, RUNNING, CANCELLING, SUCCEEDED, CANCELLED -> false;
        };
  }

  Duration elapsed() {
    return Duration.ofMillis(elapsedMs);
  }

  Optional<RunError> error() {
    return Optional.ofNullable(error).map(HeadCodec::error);
  }

  Optional<Head.Breakpoint> breakpoint() {
    return Optional.ofNullable(breakpoint).map(HeadCodec::breakpoint);
  }

  /// Makes the run claimable. A wait that ends early was counted in full when it began.
  void queue(Instant now) {
    if (status() == RunStatus.WAITING && wakesAt != null && wakesAt.isAfter(now)) {
      elapsedMs -= Duration.between(now, wakesAt).toMillis();
    }
    wakesAt = null;
    status = StoredStatus.word(RunStatus.QUEUED);
    wake++;
    takeovers = 0;
    error = null;
    breakpoint = null;
    finishedAt = null;
  }

  /// Gives a queued run to `replica`, like a claim.
  void own(String replica, Instant now) {
    owner = replica;
    leaseEpoch++;
    status = StoredStatus.word(RunStatus.RUNNING);
    if (startedAt == null) {
      startedAt = now;
    }
  }

  /// Lets failures be tried again (E34).
  ///
  /// @param last number of the last checkpoint
  void releaseFailures(int last) {
    releasedThrough = last;
  }

  /// Records that the breakpoint the run stands at is passed (E38).
  void passBreakpoint() {
    breakpoint()
        .ifPresent(it -> {
          passedSuperstep = superstep;
          passedAfter = true;
          passedBefore = it.when().equals("before");
        });
  }

  void countAnswers(int added) {
    answers += added;
  }

  /// Makes its newest checkpoint the state of its thread.
  void takeTurn(long number) {
    turn = number;
  }

  /// Leaves out of its thread whatever it has committed and will commit.
  void rollBack() {
    turn = null;
  }

  /// Has the run end as soon as it has begun: it waits for its thread until then.
  void endWhenBegun(Instant at) {
    cancelRequestedAt = at;
  }

  /// Makes a run that waited for its thread claimable, at once or when `at` has come.
  void dequeue(Optional<Instant> at) {
    wakesAt = at.orElse(null);
    status = StoredStatus.word(RunStatus.QUEUED);
    wake++;
  }

  /// Fails a run that nobody drives.
  void fail(RunError failure, Instant at) {
    error = HeadCodec.bytes(failure);
    status = StoredStatus.word(RunStatus.FAILED);
    wakesAt = null;
    finishedAt = at;
  }

  /// Asks the driver to end the run; it sees the flag with its next commit.
  void requestCancel(Instant at) {
    if (cancelRequestedAt == null) {
      cancelRequestedAt = at;
    }
    status = StoredStatus.word(RunStatus.CANCELLING);
  }

  /// Ends a run that nobody drives.
  void cancel(Instant at) {
    cancelRequestedAt = at;
    status = StoredStatus.word(RunStatus.CANCELLED);
    wakesAt = null;
    breakpoint = null;
    finishedAt = at;
  }
}
