package dev.superstep.run;

import dev.superstep.schedule.Replica;
import java.util.Optional;
import org.springframework.stereotype.Component;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/// Tells drivers and waiting clients what an API call has committed, here and elsewhere.
@Component
class Committed {
  private final Drivers drivers;
  private final Signals signals;
  private final LeftNews news;
  private final Elsewhere elsewhere;
  private final Replica replica;

  Committed(Drivers drivers, Signals signals, LeftNews news, Elsewhere elsewhere, Replica replica) {
    this.drivers = drivers;
    this.signals = signals;
    this.news = news;
    this.elsewhere = elsewhere;
    this.replica = replica;
  }

  /// Has the driver of the run look for news, once the current transaction has committed. The
  /// caller holds the lock of the run.
  ///
  /// @param owner of the run, as the transaction leaves it
  void announce(String run, Optional<String> owner) {
    var other = owner.filter(it -> !replica.id().equals(Optional.of(it)));
    other.ifPresent(it -> news.leave(it, run));
    TransactionSynchronizationManager.registerSynchronization(
        new TransactionSynchronization() {
          @Override
          public void afterCommit() {
            drivers.nudge(run);
            signals.rested(run);
            other.ifPresent(_ -> elsewhere.left(run));
          }
        });
  }
}
