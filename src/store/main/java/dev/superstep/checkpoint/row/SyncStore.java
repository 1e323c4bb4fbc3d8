package dev.superstep.checkpoint.row;

import dev.superstep.checkpoint.ChildEnds;
import dev.superstep.checkpoint.Retries;
import dev.superstep.checkpoint.StoreSettings;
import dev.superstep.checkpoint.row.SnapshotPolicy.Outcomes;
import dev.superstep.engine.checkpoint.Commit;
import dev.superstep.engine.checkpoint.TaskRecord;
import dev.superstep.engine.node.CheckpointStore.CommitResult;
import dev.superstep.engine.node.CheckpointStore.EndedWorker;
import dev.superstep.engine.run.ChildEnd;
import dev.superstep.engine.run.Event;
import dev.superstep.engine.run.Lease;
import dev.superstep.engine.run.LeaseLostException;
import dev.superstep.engine.run.RunSignals;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.stereotype.Component;

/// Writes that are on disk when their method returns. A superstep is one row in a statement shared
/// with other runs that commit at that moment; commits that touch more, such as holds, are short
/// transactions. While the database is away it retries for as long as its patience lasts, and it
/// checks whether a write whose acknowledgement was lost is on disk.
@Component
class SyncStore {
  private final GroupCommit groupCommit;
  private final TransactionalCommits transactionalCommits;
  private final GroupRecord records;
  private final CommitRefusals refusals;
  private final SignalReader signalReader;
  private final ObjectProvider<ChildEnds> childEnds;
  private final SnapshotPolicy snapshotPolicy;
  private final Retries retries;

  public SyncStore(
      GroupCommit groupCommit,
      TransactionalCommits transactionalCommits,
      GroupRecord records,
      CommitRefusals refusals,
      SignalReader signalReader,
      ObjectProvider<ChildEnds> childEnds,
      StoreSettings settings,
      SnapshotPolicy snapshotPolicy) {
    this.groupCommit = groupCommit;
    this.transactionalCommits = transactionalCommits;
    this.records = records;
    this.refusals = refusals;
    this.signalReader = signalReader;
    this.childEnds = childEnds;
    this.snapshotPolicy = snapshotPolicy;
    this.retries = new Retries(settings.patience());
  }

  public CommitResult commit(Lease lease, List<Commit> commits) {
    var first = commits.getFirst();
    if (commits.size() > 1 || first.isPlain()) {
      return commitPlain(
          retries.run(() -> description(lease, first.parent()), () -> encodePlain(lease, commits)));
    }
    var encodedCheckpoint =
        retries.run(() -> description(lease, first.parent()), () -> encode(lease, first));
    return remember(
        lease,
        encodedCheckpoint,
        outcomesAfter(first),
        commitInTransaction(lease, first, encodedCheckpoint));
  }

  private PlainCommit encodePlain(Lease lease, List<Commit> commits) {
    var parent = snapshotPolicy.get(lease.run(), commits.getFirst().parent());
    return new PlainCommit(lease, commits, parent, snapshotPolicy.outcomes(lease.run()));
  }

  private CommitResult commitPlain(PlainCommit plainCommit) {
    var lease = plainCommit.lease();
    var result =
        retryUntilKnown(
            lease, plainCommit.parent(), () -> result(plainCommit, groupCommit.write(plainCommit)));
    return remember(lease, plainCommit.lastCheckpoint(), Outcomes.NONE, result);
  }

  /// Whether outcomes stay recorded behind a commit that is done.
  private static Outcomes outcomesAfter(Commit commit) {
    return commit.advances() ? Outcomes.NONE : Outcomes.PERHAPS;
  }

  private CommitResult remember(
      Lease lease,
      @Nullable EncodedCheckpoint encodedCheckpoint,
      Outcomes outcomes,
      CommitResult result) {
    if (encodedCheckpoint != null && result instanceof CommitResult.Committed) {
      snapshotPolicy.put(
          lease.run(), encodedCheckpoint.number(), encodedCheckpoint.end(), outcomes);
    }
    return result;
  }

  private static String description(Lease lease, int parent) {
    return "commit of run '%s' behind checkpoint %d".formatted(lease.run(), parent);
  }

  private @Nullable EncodedCheckpoint encode(Lease lease, Commit commit) {
    return commit
        .checkpoint()
        .map(it ->
            EncodedCheckpoint.of(
                it, commit.events(), snapshotPolicy.get(lease.run(), commit.parent())))
        .orElse(null);
  }

  private Optional<CommitResult> result(PlainCommit plainCommit, Optional<Instant> written) {
    return written
        .<CommitResult>map(CommitResult.Committed::new)
        .or(() ->
            refusals.refusal(
                plainCommit.lease(),
                plainCommit.parent(),
                plainCommit.last(),
                plainCommit.lastCheckpoint()));
  }

  private CommitResult commitInTransaction(
      Lease lease, Commit commit, @Nullable EncodedCheckpoint encodedCheckpoint) {
    var lost = new LostAcknowledgement();
    return retryUntilKnown(
        lease,
        commit.parent(),
        () ->
            transactionalCommits
                .commit(lease, commit, encodedCheckpoint, lost)
                .<CommitResult>map(it -> new CommitResult.Committed(it.committedAt()))
                .or(() -> refusals.refusal(lease, commit.parent(), commit, encodedCheckpoint)));
  }

  private CommitResult retryUntilKnown(
      Lease lease, int parent, Supplier<Optional<CommitResult>> attempt) {
    while (true) {
      var result = retries.run(() -> description(lease, parent), attempt);
      if (result.isPresent()) {
        return result.get();
      }
    }
  }

  public void record(Lease lease, List<TaskRecord> outcomes, List<Event> events) {
    snapshotPolicy.recording(lease.run());
    var lost = new LostAcknowledgement();
    boolean written =
        retries.run(
            () -> "outcomes of run '%s'".formatted(lease.run()),
            () ->
                (OutcomeBatch.isPlain(outcomes, events)
                        && records.write(new OutcomeBatch(lease, outcomes)))
                    || transactionalCommits.record(lease, outcomes, events, lost).isPresent());
    if (!written) {
      throw new LeaseLostException(lease);
    }
  }

  public boolean isAwaited(Lease lease, String type) {
    return signalReader.isAwaited(lease, type);
  }

  public List<EndedWorker> workerEnds(Lease lease, Set<String> waiting) {
    return retries.run(
        () -> "ends of workers of run '%s'".formatted(lease.run()),
        () -> signalReader.workerEnds(lease, waiting));
  }

  public ChildEnd childEnd(String run) {
    return retries.run(
        () -> "end of run '%s'".formatted(run), () -> childEnds.getObject().read(run));
  }

  public RunSignals signals(Lease lease, int message) {
    return retries.run(
        () -> "signals of run '%s'".formatted(lease.run()),
        () -> signalReader.read(lease, message));
  }

  /// Two statements: what the second one reads includes every answer that the first one found.
  ///
  /// @param how `expired` or `cancelled`
  RunSignals close(Lease lease, List<String> interrupts, String how) {
    return retries.run(
        () -> "questions of run '%s'".formatted(lease.run()),
        () -> {
          transactionalCommits.close(lease, interrupts, how);
          return signalReader.read(lease, 0);
        });
  }
}
