package dev.superstep.run;

import org.springframework.stereotype.Component;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/// Tells drivers and waiting clients of this process what an API call has committed.
@Component
class Committed {
  private final Drivers drivers;
  private final Signals signals;

  Committed(Drivers drivers, Signals signals) {
    this.drivers = drivers;
    this.signals = signals;
  }

  /// Has the driver of the run look for news, once the current transaction has committed.
  void announce(String run) {
    if (!TransactionSynchronizationManager.isSynchronizationActive()) {
      tell(run);
      return;
    }
    TransactionSynchronizationManager.registerSynchronization(
        new TransactionSynchronization() {
          @Override
          public void afterCommit() {
            tell(run);
          }
        });
  }

  private void tell(String run) {
    drivers.nudge(run);
    signals.signal(run);
  }
}
