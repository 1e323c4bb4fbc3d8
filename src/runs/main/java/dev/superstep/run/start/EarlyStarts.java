package dev.superstep.run.start;

import dev.superstep.checkpoint.CommitListener;
import dev.superstep.engine.node.CheckpointStore;
import dev.superstep.engine.node.WorkPermits;
import dev.superstep.schedule.DatabaseClock;
import dev.superstep.tenant.Share;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import org.springframework.stereotype.Component;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/// Says which runs may start before they are inserted, and gives them their stores.
@Component
class EarlyStarts {
  private final CheckpointStore store;
  private final CommitListener listener;
  private final WorkPermits workPermits;
  private final DatabaseClock clock;

  EarlyStarts(
      CheckpointStore store,
      CommitListener listener,
      WorkPermits workPermits,
      DatabaseClock clock) {
    this.store = store;
    this.listener = listener;
    this.workPermits = workPermits;
    this.clock = clock;
  }

  /// None that is part of a transaction, and none where its driver would queue for its turn, for it
  /// would be inserted late.
  boolean admit(Share share) {
    return workPermits.admitsAtOnce(share)
        && !TransactionSynchronizationManager.isActualTransactionActive();
  }

  /// As precise as the database keeps times.
  Instant now() {
    return clock.instant().truncatedTo(ChronoUnit.MICROS);
  }

  EarlyStartStore store(NewRun newRun, EarlyStartStore.Insertion insertion) {
    return new EarlyStartStore(store, listener, insertion, newRun);
  }
}
