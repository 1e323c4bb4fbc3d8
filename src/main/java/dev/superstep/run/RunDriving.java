package dev.superstep.run;

import dev.superstep.checkpoint.Outage;
import dev.superstep.checkpoint.StoreUnavailableException;
import dev.superstep.checkpoint.StoredForm;
import dev.superstep.engine.LeaseLostException;
import dev.superstep.engine.RunStatus;
import dev.superstep.run.Claims.Claim;
import dev.superstep.run.Claims.Strike;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.dao.DataAccessException;
import org.springframework.stereotype.Component;
import org.springframework.transaction.TransactionException;

/// Drives one claimed run to where it rests, on the thread it is called on, and answers for
/// whatever goes wrong on the way.
@Component
class RunDriving {
  private static final Logger log = LoggerFactory.getLogger(RunDriving.class);

  private final ClaimedRuns runs;
  private final Claims claims;
  private final ObjectProvider<Parents> parents;
  private final ObjectProvider<ThreadSuccessor> threads;
  private final Backoff backoff;
  private final Suspects suspects;

  RunDriving(
      ClaimedRuns runs,
      Claims claims,
      ObjectProvider<Parents> parents,
      ObjectProvider<ThreadSuccessor> threads,
      Backoff backoff,
      Suspects suspects) {
    this.runs = runs;
    this.claims = claims;
    this.parents = parents;
    this.threads = threads;
    this.backoff = backoff;
    this.suspects = suspects;
  }

  void drive(Claim claim, Drivers.Slot slot) {
    var run = claim.lease().run();
    if (Thread.currentThread().isInterrupted()) {
      log.info("Run {} is dropped here before it began", run);
      suspects.leave(claim.lease());
      return;
    }
    try {
      if (claim.before() == RunStatus.INTERRUPTED) {
        tellParent(claim);
      }
      runs.drive(claim, slot.inbox());
      tellParent(claim);
      startNext(claim);
    } catch (LeaseLostException e) {
      log.info("{}; it is dropped here", e.getMessage());
    } catch (InterruptedException e) {
      log.info("Run {} is dropped here; its next owner goes on from the database", run);
      Thread.currentThread().interrupt();
    } catch (StoreUnavailableException | DataAccessException | TransactionException e) {
      unavailable(claim, e);
    } catch (RuntimeException | Error e) {
      if (StoredForm.isNewer(e)) {
        log.warn("Run {} is left to a newer release: {}", run, e.getMessage());
        handBack(claim, Strike.DOES_NOT_COUNT);
        return;
      }
      log.error("The driver of run {} broke; the run is queued again", run, e);
      handBack(claim, Strike.COUNTS);
    } finally {
      suspects.leave(claim.lease());
    }
  }

  /// Parents wait for what their children come to (E41).
  private void tellParent(Claim claim) {
    if (claim.parent().isEmpty()) {
      return;
    }
    var run = claim.lease().run();
    try {
      parents.getObject().tell(run);
    } catch (DataAccessException | TransactionException e) {
      log.warn("The parent of run {} will hear of it later", run, e);
    }
  }

  /// Runs may wait for the conversation that this one has left.
  private void startNext(Claim claim) {
    if (claim.thread().isEmpty()) {
      return;
    }
    try {
      threads.getObject().startNextOf(claim.thread().get());
    } catch (RuntimeException e) { // the run that was driven has ended all the same
      log.warn("The next run of thread {} begins later", claim.thread().get(), e);
    }
  }

  /// A thread that is interrupted was told to drop its run. It must not touch the database any
  /// more, which would close each connection it is given.
  private void unavailable(Claim claim, RuntimeException e) {
    var run = claim.lease().run();
    if (Thread.currentThread().isInterrupted()) {
      log.info("Run {} is dropped here in the middle of a write: {}", run, e.getMessage());
      return;
    }
    log.warn("Run {} cannot be read or written; it is queued again", run, e);
    boolean away = e instanceof StoreUnavailableException || Outage.caused(e);
    handBack(claim, away ? Strike.DOES_NOT_COUNT : Strike.COUNTS);
  }

  private void handBack(Claim claim, Strike strike) {
    try {
      claims.handBack(claim.lease(), strike, backoff.next(claim.lease().run()));
    } catch (DataAccessException | TransactionException e) {
      // The owner's poll finds runs that nobody drives.
      log.warn("Run {} could not be queued yet", claim.lease().run(), e);
    }
  }
}
