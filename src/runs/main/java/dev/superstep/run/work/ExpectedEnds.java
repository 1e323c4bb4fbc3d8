package dev.superstep.run.work;

import dev.superstep.checkpoint.work.Callbacks;
import dev.superstep.engine.run.TaskKey;
import dev.superstep.engine.run.WorkerEnd;
import dev.superstep.run.store.RunRows;
import java.time.Instant;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import org.springframework.stereotype.Component;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/// Ends tasks that expect something, under the lock of their runs.
@Component
public class ExpectedEnds {
  private final Callbacks callbacks;
  private final WorkerEnds ends;
  private final RunRows runs;
  private final TransactionTemplate transaction;

  ExpectedEnds(
      Callbacks callbacks, WorkerEnds ends, RunRows runs, PlatformTransactionManager transactions) {
    this.callbacks = callbacks;
    this.ends = ends;
    this.runs = runs;
    this.transaction = new TransactionTemplate(transactions);
  }

  /// @param id of its row
  public record ExpectingTask(String run, TaskKey task, String id) {}

  /// Ends a task, if it expects something still.
  ///
  /// @param at when the answer came; empty: now
  /// @param condition is asked within the transaction, behind the lock; what it has written is
  ///   rolled back with the rest
  /// @return false if nothing has changed
  public boolean end(
      ExpectingTask task, WorkerEnd end, Optional<Instant> at, BooleanSupplier condition) {
    return Boolean.TRUE.equals(
        transaction.execute(status -> {
          var locked = runs.lock(task.run());
          boolean ended =
              locked.isPresent()
                  && WorkerEnds.wants(locked.get(), task.task())
                  && condition.getAsBoolean()
                  && callbacks.end(task.id(), end, locked.get().answers() + 1, at);
          if (ended) {
            ends.countAndWake(locked.get());
          } else {
            status.setRollbackOnly();
          }
          return ended;
        }));
  }
}
