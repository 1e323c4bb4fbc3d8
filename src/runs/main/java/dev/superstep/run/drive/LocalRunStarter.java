package dev.superstep.run.drive;

import dev.superstep.run.drive.LocalRuns.LocalRun;
import dev.superstep.run.drive.RunClaims.Claim;
import dev.superstep.run.stream.CommitNotifier;
import dev.superstep.schedule.Replica;
import dev.superstep.tenant.Share;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/// Starts drivers of runs in this process: of runs it was woken for, and of runs that an API call
/// claims in the transaction that makes them runnable, which saves the way through the queue.
@Component
public class LocalRunStarter {
  private final Replica replica;
  private final LocalRuns localRuns;
  private final RunDriverThread driverThread;
  private final CommitNotifier commitNotifier;
  private final RunQueue runQueue;
  private final JdbcClient jdbc;

  LocalRunStarter(
      Replica replica,
      LocalRuns localRuns,
      RunDriverThread driverThread,
      CommitNotifier commitNotifier,
      RunQueue runQueue,
      JdbcClient jdbc) {
    this.replica = replica;
    this.localRuns = localRuns;
    this.driverThread = driverThread;
    this.commitNotifier = commitNotifier;
    this.runQueue = runQueue;
    this.jdbc = jdbc;
  }

  /// Reserves a place for a run without an owner; empty if it has to queue, because others come
  /// first, or this process has no room for the caller, is ending or no confirmed member of the
  /// cluster.
  public Optional<LocalRun> reserve(String run, String caller) {
    return runQueue.comesBehind(Share.of(run, caller))
        ? Optional.empty()
        : owner().flatMap(owner -> localRuns.reserve(run, owner, caller));
  }

  /// Whether a run of this share would find a place.
  public boolean hasRoom(Share share) {
    return !runQueue.comesBehind(share) && localRuns.hasRoom(share) && owner().isPresent();
  }

  /// Full as it is, the process may have room for this caller.
  private Optional<String> owner() {
    return localRuns.isFull() && !replica.leaving() ? replica.id() : replica.taking();
  }

  /// Reserves a place if the database still knows this process as a member. For calls whose
  /// claiming statement does not check that.
  Optional<LocalRun> reserveAsMember(String run, String caller) {
    var localRun = reserve(run, caller);
    if (localRun.isEmpty()) {
      return localRun;
    }
    boolean member = false;
    try {
      member =
          jdbc.sql("select exists (select from replica where name = :owner)")
              .param("owner", localRun.get().owner())
              .query(Boolean.class)
              .single();
    } finally {
      if (!member) {
        localRuns.release(localRun.get());
      }
    }
    return member ? localRun : Optional.empty();
  }

  public void release(LocalRun localRun) {
    localRuns.release(localRun);
  }

  /// Starts the driver when the current transaction, which makes this process the owner, has
  /// committed. If it rolls back, or its outcome is unknown, the place is released; a run that is
  /// owned here without a [LocalRun] is found and queued by [SignalPoller].
  ///
  /// @param claim read when the transaction is about to commit
  public void begin(LocalRun localRun, Supplier<Claim> claim) {
    if (!TransactionSynchronizationManager.isSynchronizationActive()) {
      start(localRun, claim.get());
      return;
    }
    TransactionSynchronizationManager.registerSynchronization(
        new TransactionSynchronization() {
          private @Nullable Claim made;

          @Override
          public void beforeCommit(boolean readOnly) {
            made = claim.get();
          }

          @Override
          public void afterCompletion(int status) {
            if (status == STATUS_COMMITTED && made != null) {
              start(localRun, made);
            } else {
              localRuns.release(localRun);
            }
          }
        });
  }

  /// Starts the driver of a run that is owned here.
  void start(LocalRun localRun, Claim claim) {
    commitNotifier.signal(localRun.run());
    runQueue.started(share(claim), claim.header().graph());
    localRuns.start(localRun, claim.caller(), () -> drive(claim, localRun));
  }

  private static Share share(Claim claim) {
    return Share.of(claim.header().id(), claim.caller());
  }

  private void drive(Claim claim, LocalRun localRun) {
    try {
      driverThread.drive(claim, localRun);
    } finally {
      runQueue.ended(share(claim), claim.header().graph());
      commitNotifier.rested(localRun.run());
    }
  }
}
