package dev.superstep.run.drive;

import dev.superstep.checkpoint.Outage;
import dev.superstep.checkpoint.StoreUnavailableException;
import dev.superstep.checkpoint.StoredForm;
import dev.superstep.engine.run.LeaseLostException;
import dev.superstep.engine.run.RunStatus;
import dev.superstep.run.drive.RunClaims.Claim;
import dev.superstep.run.drive.RunClaims.Strike;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.dao.DataAccessException;
import org.springframework.dao.DuplicateKeyException;
import org.springframework.stereotype.Component;
import org.springframework.transaction.TransactionException;

/// Drives one claimed run until it rests, on the calling thread, and handles every failure on the
/// way. What follows for parents and threads may start drivers again, so it listens to events,
/// which are handled before the driver ends.
@Component
public class RunDriverThread {
  private static final Logger log = LoggerFactory.getLogger(RunDriverThread.class);

  private final ClaimLoader claimLoader;
  private final RunClaims runClaims;
  private final Backoff backoff;
  private final Suspects suspects;
  private final ApplicationEventPublisher events;
  private final DriverMetrics metrics;

  RunDriverThread(
      ClaimLoader claimLoader,
      RunClaims runClaims,
      Backoff backoff,
      Suspects suspects,
      ApplicationEventPublisher events,
      DriverMetrics metrics) {
    this.claimLoader = claimLoader;
    this.runClaims = runClaims;
    this.backoff = backoff;
    this.suspects = suspects;
    this.events = events;
    this.metrics = metrics;
  }

  /// A child run rests, or moves again after a question: its parent may have to.
  public record ChildMoved(String run) {}

  /// A run has left its thread.
  public record ThreadLeft(String thread) {}

  public void drive(Claim claim, LocalRuns.LocalRun localRun) {
    try (var _ = LogContext.of(claim)) {
      if (claim.takeovers() > 0) {
        metrics.takenOver();
      }
      driveLogged(claim, localRun);
    }
  }

  private void driveLogged(Claim claim, LocalRuns.LocalRun localRun) {
    var run = claim.lease().run();
    if (Thread.currentThread().isInterrupted()) {
      log.info("Run {} is dropped here before it began", run);
      suspects.release(claim.lease());
      return;
    }
    try {
      if (claim.before() == RunStatus.INTERRUPTED) {
        notifyParent(claim);
      }
      claimLoader.drive(claim, localRun);
      notifyParent(claim);
      startNext(claim);
    } catch (LeaseLostException e) {
      log.info("{}; it is dropped here", e.getMessage());
    } catch (InterruptedException e) {
      log.info("Run {} is dropped here; its next owner continues from the database", run);
      Thread.currentThread().interrupt();
    } catch (StoreUnavailableException | DataAccessException | TransactionException e) {
      unavailable(claim, localRun, e);
    } catch (RuntimeException | Error e) {
      if (Thread.currentThread().isInterrupted()) {
        log.info("Run {} is dropped here in the middle of a superstep: {}", run, e.toString());
        return;
      }
      if (StoredForm.isNewer(e)) {
        log.warn("Run {} is left to a newer release: {}", run, e.getMessage());
        handBack(claim, localRun, Strike.DOES_NOT_COUNT);
        return;
      }
      log.error("The driver of run {} broke; the run is queued again", run, e);
      handBack(claim, localRun, Strike.COUNTS);
    } finally {
      suspects.release(claim.lease());
    }
  }

  /// Parents wait for the results of their children (E41).
  private void notifyParent(Claim claim) {
    if (claim.parent().isEmpty()) {
      return;
    }
    var run = claim.lease().run();
    try {
      events.publishEvent(new ChildMoved(run));
    } catch (DataAccessException | TransactionException e) {
      log.warn("The parent of run {} is notified later", run, e);
    }
  }

  /// Runs may wait for the thread that this one has left.
  private void startNext(Claim claim) {
    if (claim.thread().isEmpty()) {
      return;
    }
    try {
      events.publishEvent(new ThreadLeft(claim.thread().get()));
    } catch (RuntimeException e) { // the run that was driven has ended all the same
      log.warn("The next run of thread {} begins later", claim.thread().get(), e);
    }
  }

  /// A driver is interrupted to drop its run. It must not touch the database any more, which would
  /// close each connection it is given.
  private void unavailable(Claim claim, LocalRuns.LocalRun localRun, RuntimeException e) {
    var run = claim.lease().run();
    if (Thread.currentThread().isInterrupted()) {
      log.info("Run {} is dropped here in the middle of a write: {}", run, e.getMessage());
      return;
    }
    log.warn("Run {} cannot be read or written; it is queued again", run, e);
    boolean innocent =
        e instanceof StoreUnavailableException
            || e instanceof DuplicateKeyException // the next driver sees who has the id
            || Outage.caused(e);
    handBack(claim, localRun, innocent ? Strike.DOES_NOT_COUNT : Strike.COUNTS);
  }

  /// A run that is not known to be inserted is nobody's, or is found by its owner's poll.
  private void handBack(Claim claim, LocalRuns.LocalRun localRun, Strike strike) {
    if (!localRun.store().map(it -> it.isOnDisk(claim.lease())).orElse(true)) {
      return;
    }
    try {
      runClaims.handBack(claim.lease(), strike, backoff.next(claim.lease().run()));
    } catch (DataAccessException | TransactionException e) {
      // The owner's poll finds runs without a driver.
      log.warn("Run {} could not be queued yet", claim.lease().run(), e);
    }
  }
}
