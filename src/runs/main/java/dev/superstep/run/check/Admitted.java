package dev.superstep.run.check;

import dev.superstep.run.check.UsageCount.Addition;
import dev.superstep.tenant.Share;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongSupplier;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/// What a call takes of the bounds of a caller and its tenant, until it is known what has become of
/// it: taken back if that is nothing, as when its transaction rolls back; else the next count has
/// it. Of one thread.
public final class Admitted implements AutoCloseable, TransactionSynchronization {
  private final CallerQuotas quotas;
  private final Share share;
  private final List<Addition.Added> added = new ArrayList<>(2);
  private final boolean transactional = TransactionSynchronizationManager.isSynchronizationActive();

  Admitted(CallerQuotas quotas, Share share) {
    this.quotas = quotas;
    this.share = share;
    if (transactional) {
      TransactionSynchronizationManager.registerSynchronization(this);
    }
  }

  Admitted with(Addition.Added one) {
    added.add(one);
    return this;
  }

  void run() {
    added.add(quotas.addRun(share));
  }

  /// Admits what the run begins with.
  ///
  /// @param bytes computed only where there is a bound
  public void stored(LongSupplier bytes) {
    quotas.addStored(share, bytes).ifPresent(added::add);
  }

  /// Nothing has come of it.
  public void takeBack() {
    added.forEach(Addition.Added::takeBack);
  }

  /// The call is over. Of a transaction it is known at its end only.
  @Override
  public void close() {
    if (!transactional) {
      added.forEach(Addition.Added::settle);
    }
  }

  @Override
  public void afterCompletion(int status) {
    if (status == STATUS_ROLLED_BACK) {
      takeBack();
    } else {
      added.forEach(Addition.Added::settle);
    }
  }
}
