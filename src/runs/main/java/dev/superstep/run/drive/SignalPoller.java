package dev.superstep.run.drive;

import dev.superstep.engine.run.Lease;
import dev.superstep.run.check.CallerQuotas;
import dev.superstep.run.drive.RunClaims.Strike;
import dev.superstep.schedule.ReplicaPoll;
import java.time.Duration;
import org.springframework.stereotype.Component;

/// Polls for notes that other replicas have left for the runs driven here, with one query per round
/// that is cheap while there are none; and, more rarely, for runs that are owned here but have no
/// driver, and for callers and tenants that store too much.
@Component
public class SignalPoller implements ReplicaPoll {
  /// Runs that yield their place in a round: each costs a commit, a claim and loading the run.
  private static final int YIELDS_MAX = 50;

  private static final int ROUNDS_PER_INVENTORY = 10;

  private final RunClaims runClaims;
  private final SignalInbox signalInbox;
  private final LocalRuns localRuns;
  private final RunQueue runQueue;
  private final RunWaker runWaker;
  private final Backoff backoff;
  private final CallerQuotas quotas;
  private final Duration pause;
  private boolean missed;
  private int round;

  SignalPoller(
      RunClaims runClaims,
      SignalInbox signalInbox,
      LocalRuns localRuns,
      RunQueue runQueue,
      RunWaker runWaker,
      Backoff backoff,
      CallerQuotas quotas,
      RunSettings settings) {
    this.runClaims = runClaims;
    this.signalInbox = signalInbox;
    this.localRuns = localRuns;
    this.runQueue = runQueue;
    this.runWaker = runWaker;
    this.backoff = backoff;
    this.quotas = quotas;
    this.pause = settings.newsPoll();
  }

  @Override
  public Duration pause() {
    return pause;
  }

  @Override
  public void poll(String id) {
    boolean failedBefore = missed;
    missed = true;
    signalInbox.drain(id).forEach(localRuns::nudge);
    localRuns.reopen();
    runQueue.refresh();
    runWaker.takeFromReserve(id);
    if (runQueue.someWait()) {
      localRuns.yieldRuns(runQueue.runsWaiting(YIELDS_MAX));
    }
    if (failedBefore) {
      localRuns.nudgeAll(); // notes may have been taken by a round whose answer was lost
    }
    if (++round % ROUNDS_PER_INVENTORY == 0) {
      quotas.overStored().forEach(localRuns::stopStoring);
      reconcileOwned(id);
    }
    missed = false;
  }

  /// Queues runs that are owned but not driven here: the driver broke while the database was away,
  /// or the outcome of the transaction that gave the run to this process was unknown.
  public void reconcileOwned(String id) {
    for (var owned : runClaims.ownedBy(id)) {
      if (!localRuns.drives(owned.run())) {
        // Its driver may just have ended; then the epoch or the owner differs by now.
        var lease = new Lease(owned.run(), owned.epoch());
        runClaims.handBack(lease, Strike.DOES_NOT_COUNT, backoff.last(owned.run()));
      }
    }
  }
}
