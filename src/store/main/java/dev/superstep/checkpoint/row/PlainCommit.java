package dev.superstep.checkpoint.row;

import dev.superstep.checkpoint.EventCodec;
import dev.superstep.checkpoint.WriteBatcher;
import dev.superstep.engine.checkpoint.Commit;
import dev.superstep.engine.run.Lease;
import dev.superstep.engine.run.RunHead;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Plain commits of one run, each behind the one before, encoded for the database, and when they
/// were written.
final class PlainCommit implements WriteBatcher.Member {
  private final Lease lease;
  private final List<EncodedCommit> commits;
  private final SnapshotPolicy.Outcomes outcomes;
  private volatile @Nullable Instant writtenAt;

  /// @param events in stored form
  record EncodedCommit(Commit commit, EncodedCheckpoint checkpoint, byte[] events) {

    long bytes() {
      var snapshot = checkpoint.snapshot();
      return (long) checkpoint.content().length
          + events.length
          + (snapshot == null ? 0 : snapshot.length);
    }
  }

  private PlainCommit(Lease lease, List<EncodedCommit> commits, SnapshotPolicy.Outcomes outcomes) {
    this.lease = lease;
    this.commits = commits;
    this.outcomes = outcomes;
  }

  /// @param parent replay cost of the checkpoint that they are behind
  /// @param outcomes recorded outcomes that they include and remove
  public static PlainCommit of(
      Lease lease, List<Commit> commits, ReplayCost parent, SnapshotPolicy.Outcomes outcomes) {
    var encoded = new ArrayList<EncodedCommit>(commits.size());
    var cost = parent;
    for (var commit : commits) {
      var checkpoint = EncodedCheckpoint.of(commit.checkpoint().orElseThrow(), cost);
      cost = checkpoint.replayCost();
      encoded.add(new EncodedCommit(commit, checkpoint, EventCodec.bytes(commit.events())));
    }
    return new PlainCommit(lease, encoded, outcomes);
  }

  public Lease lease() {
    return lease;
  }

  List<EncodedCommit> commits() {
    return commits;
  }

  /// Number of the checkpoint that they are behind.
  int parent() {
    return commits.getFirst().commit().parent();
  }

  public Commit last() {
    return commits.getLast().commit();
  }

  EncodedCheckpoint lastCheckpoint() {
    return commits.getLast().checkpoint();
  }

  RunHead head() {
    return last().head();
  }

  int events() {
    return commits.stream().mapToInt(it -> it.commit().events().size()).sum();
  }

  boolean passesCancel() {
    return CommitKind.passesCancel(head());
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
