package dev.superstep.checkpoint;

import dev.superstep.database.Pools;
import dev.superstep.engine.Commit;
import dev.superstep.engine.Event;
import dev.superstep.engine.Lease;
import dev.superstep.engine.TaskRecord;
import dev.superstep.schedule.WakeUps;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.stereotype.Component;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/// Writes of a driver that touch more than the head and a checkpoint: each is one transaction.
@Component
class WideWrites {
  private final CommitStatement commits;
  private final RecordStatement records;
  private final InterruptWrites interrupts;
  private final WakeUps wakeUps;
  private final TransactionTemplate transaction;

  WideWrites(
      CommitStatement commits,
      RecordStatement records,
      InterruptWrites interrupts,
      WakeUps wakeUps,
      @Qualifier(Pools.ENGINE) PlatformTransactionManager transactions) {
    this.commits = commits;
    this.records = records;
    this.interrupts = interrupts;
    this.wakeUps = wakeUps;
    this.transaction = new TransactionTemplate(transactions);
  }

  /// @return empty if the fence refused it
  Optional<Written> commit(
      Lease lease, Commit commit, @Nullable Row row, LostAcknowledgement lost) {
    return once(
        lost,
        () -> {
          var written = commits.execute(lease, commit, row);
          written.ifPresent(it -> follow(lease.run(), commit, it));
          return written;
        });
  }

  private void follow(String run, Commit commit, Written written) {
    interrupts.write(run, commit);
    if (Purpose.wakes(commit.head())) {
      var at = commit.head().wakesAt().orElse(written.at());
      wakeUps.schedule(run, written.wake(), at, written.priority());
    }
  }

  /// @return empty if the lease is lost
  Optional<Written> record(
      Lease lease, List<TaskRecord> tasks, List<Event> events, LostAcknowledgement lost) {
    return once(
        lost,
        () -> {
          var written = records.execute(lease, tasks, events);
          written.ifPresent(_ -> interrupts.open(lease.run(), tasks));
          return written;
        });
  }

  private Optional<Written> once(LostAcknowledgement lost, Supplier<Optional<Written>> write) {
    return transaction.execute(status -> {
      var written = write.get();
      if (lost.precedes(written)) {
        status.setRollbackOnly();
      }
      return written;
    });
  }
}
