package dev.superstep.checkpoint.row;

import dev.superstep.checkpoint.ChildWrites;
import dev.superstep.checkpoint.work.QueuedTasks;
import dev.superstep.database.Pools;
import dev.superstep.engine.checkpoint.ChildRef;
import dev.superstep.engine.checkpoint.Commit;
import dev.superstep.engine.checkpoint.TaskRecord;
import dev.superstep.engine.checkpoint.TaskRecord.TaskStatus;
import dev.superstep.engine.run.Event;
import dev.superstep.engine.run.Lease;
import dev.superstep.schedule.WakeUps;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.stereotype.Component;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/// Writes commits that touch more than the head and a checkpoint, each in one transaction.
@Component
class TransactionalCommits {
  private final CommitWriter commits;
  private final OutcomeWriter outcomes;
  private final InterruptWrites interrupts;
  private final ObjectProvider<ChildWrites> children;
  private final WakeUps wakeUps;
  private final RestingCheckpoints resting;
  private final QueuedTasks queuedTasks;
  private final TransactionTemplate transaction;

  /// @param children lazy: inserting runs needs their driver
  public TransactionalCommits(
      CommitWriter commits,
      OutcomeWriter outcomes,
      InterruptWrites interrupts,
      ObjectProvider<ChildWrites> children,
      WakeUps wakeUps,
      RestingCheckpoints resting,
      QueuedTasks queuedTasks,
      @Qualifier(Pools.ENGINE) PlatformTransactionManager transactions) {
    this.commits = commits;
    this.outcomes = outcomes;
    this.interrupts = interrupts;
    this.children = children;
    this.wakeUps = wakeUps;
    this.resting = resting;
    this.queuedTasks = queuedTasks;
    this.transaction = new TransactionTemplate(transactions);
  }

  /// A commit whose rows are one statement is its own transaction.
  ///
  /// @return empty if the fence refused it
  Optional<WrittenHead> commit(
      Lease lease,
      Commit commit,
      @Nullable EncodedCheckpoint encodedCheckpoint,
      LostAcknowledgement lost) {
    if (encodedCheckpoint == null) {
      return writeAll(lease, commit, null, lost);
    }
    var written =
        waitingTasks(commit).isEmpty()
                && !CommitKind.wakes(commit.head())
                && commit.taken().isEmpty()
            ? commits.write(lease, commit, encodedCheckpoint)
            : writeAll(lease, commit, encodedCheckpoint, lost);
    written.ifPresent(it -> resting.keep(lease, commit, encodedCheckpoint, it.committedAt()));
    return written;
  }

  private Optional<WrittenHead> writeAll(
      Lease lease,
      Commit commit,
      @Nullable EncodedCheckpoint encodedCheckpoint,
      LostAcknowledgement lost) {
    return once(
        lost,
        () -> {
          var written = commits.write(lease, commit, encodedCheckpoint);
          written.ifPresent(it -> follow(lease, commit, it));
          return written;
        });
  }

  private void follow(Lease lease, Commit commit, WrittenHead written) {
    begin(lease, waitingTasks(commit));
    if (CommitKind.wakes(commit.head())) {
      var at = commit.head().wakesAt().orElse(written.committedAt());
      wakeUps.schedule(lease.run(), written.wake(), at, written.priority());
    }
  }

  private static List<TaskRecord> waitingTasks(Commit commit) {
    return commit.checkpoint().map(it -> waitingTasks(it.delta().tasks())).orElse(List.of());
  }

  /// The tasks that wait for a child or a worker.
  private static List<TaskRecord> waitingTasks(List<TaskRecord> tasks) {
    return tasks.stream()
        .filter(it ->
            it.status() instanceof TaskStatus.Child || it.status() instanceof TaskStatus.AtWorker)
        .toList();
  }

  /// Inserts what they wait for.
  private void begin(Lease lease, List<TaskRecord> waiting) {
    var parents = waiting.stream().filter(it -> it.status() instanceof TaskStatus.Child).toList();
    if (!parents.isEmpty()) {
      children.getObject().insert(lease, parents);
    }
    queuedTasks.queue(lease, waiting);
  }

  /// Tells children and workers that their tasks are not needed any more.
  private void callOff(Lease lease, List<TaskRecord> cancelled) {
    var parents = cancelled.stream().filter(it -> ChildRef.of(it).isPresent()).toList();
    if (!parents.isEmpty()) {
      children.getObject().cancel(lease, parents);
    }
    queuedTasks.withdraw(lease, cancelled);
  }

  /// @return empty if the lease is lost
  Optional<WrittenHead> record(
      Lease lease, List<TaskRecord> tasks, List<Event> events, LostAcknowledgement lost) {
    return once(
        lost,
        () -> {
          var written = outcomes.write(lease, tasks, events);
          written.ifPresent(_ -> {
            interrupts.open(lease.run(), tasks);
            begin(lease, waitingTasks(tasks));
            callOff(lease, tasks.stream().filter(OutcomeBatch::isCalledOff).toList());
          });
          return written;
        });
  }

  /// Repeating it is harmless.
  ///
  /// @param how `expired` or `cancelled`
  void close(Lease lease, List<String> ids, String how) {
    transaction.executeWithoutResult(_ -> interrupts.close(lease, ids, how));
  }

  private Optional<WrittenHead> once(
      LostAcknowledgement lost, Supplier<Optional<WrittenHead>> write) {
    return transaction.execute(status -> {
      var written = write.get();
      if (lost.precedes(written)) {
        status.setRollbackOnly();
      }
      return written;
    });
  }
}
