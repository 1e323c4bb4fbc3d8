package dev.superstep.checkpoint.row;

import dev.superstep.checkpoint.WriteBatcher;
import dev.superstep.checkpoint.row.EncodedCheckpoint.ChainEnd;
import dev.superstep.engine.checkpoint.Commit;
import dev.superstep.engine.run.Lease;
import dev.superstep.engine.run.RunHead;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Plain commits of one run, each behind the one before, encoded for the database, and when they
/// were written.
final class PlainCommit implements WriteBatcher.Member {
  private final Lease lease;
  private final int parent;
  private final Commit last;
  private final List<EncodedCommit> commits;
  private final SnapshotPolicy.Outcomes outcomes;
  private volatile @Nullable Instant writtenAt;

  /// @param parent the checkpoint that they are behind
  /// @param outcomes recorded outcomes that they include and remove
  public PlainCommit(
      Lease lease, List<Commit> commits, ChainEnd parent, SnapshotPolicy.Outcomes outcomes) {
    this.lease = lease;
    this.parent = commits.getFirst().parent();
    this.last = commits.getLast();
    this.commits = EncodedCommit.of(commits, parent);
    this.outcomes = outcomes;
  }

  public Lease lease() {
    return lease;
  }

  List<EncodedCommit> commits() {
    return commits;
  }

  /// Number of the checkpoint that they are behind.
  int parent() {
    return parent;
  }

  public Commit last() {
    return last;
  }

  EncodedCheckpoint lastCheckpoint() {
    return commits.getLast().checkpoint();
  }

  RunHead head() {
    return last.head();
  }

  int events() {
    return commits.stream().mapToInt(EncodedCommit::eventCount).sum();
  }

  /// The time that the last of them may not be before: none is before the one behind which it is.
  Instant behind() {
    return last.checkpoint().orElseThrow().after().stamp().at();
  }

  boolean passesCancel() {
    return CommitKind.passesCancel(head());
  }

  /// Whether it may not take place if the run is to pause behind its last superstep.
  boolean heedsPause() {
    return !CommitKind.passesPause(last);
  }

  /// The number of answers and messages that the run must have had; null: any.
  @Nullable Integer answersNeeded() {
    return CommitKind.needsAnswers(last) ? last.answersSeen() : null;
  }

  boolean includesOutcomes() {
    return outcomes == SnapshotPolicy.Outcomes.PERHAPS;
  }

  @Override
  public long bytes() {
    return commits.stream().mapToLong(EncodedCommit::bytes).sum();
  }

  void written(Instant at) {
    writtenAt = at;
  }

  /// Time of the last of them; empty if the write is not known to have taken place.
  public Optional<Instant> writtenAt() {
    return Optional.ofNullable(writtenAt);
  }
}
