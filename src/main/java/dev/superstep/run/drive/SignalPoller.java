package dev.superstep.run.drive;

import dev.superstep.engine.run.Lease;
import dev.superstep.run.queue.Backoff;
import dev.superstep.run.queue.RunClaims;
import dev.superstep.run.queue.RunClaims.Strike;
import dev.superstep.run.queue.RunQueue;
import dev.superstep.schedule.Replica;
import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.SmartLifecycle;
import org.springframework.stereotype.Component;

/// Polls for notes that other replicas have left for the runs driven here, with one query per round
/// that is cheap while there are none; and, more rarely, for runs that are owned here but have no
/// driver.
@Component
public class SignalPoller implements SmartLifecycle {
  private static final Logger log = LoggerFactory.getLogger(SignalPoller.class);

  /// Runs that yield their place in a round: each costs a commit, a claim and loading the run.
  private static final int YIELDS_MAX = 50;

  private static final int ROUNDS_PER_INVENTORY = 10;

  private final RunClaims runClaims;
  private final SignalInbox signalInbox;
  private final LocalRuns localRuns;
  private final RunQueue runQueue;
  private final Replica replica;
  private final Backoff backoff;
  private final Duration pause;
  private volatile boolean running;

  SignalPoller(
      RunClaims runClaims,
      SignalInbox signalInbox,
      LocalRuns localRuns,
      RunQueue runQueue,
      Replica replica,
      Backoff backoff,
      RunSettings settings) {
    this.runClaims = runClaims;
    this.signalInbox = signalInbox;
    this.localRuns = localRuns;
    this.runQueue = runQueue;
    this.replica = replica;
    this.backoff = backoff;
    this.pause = settings.newsPoll();
  }

  @Override
  public void start() {
    running = true;
    Thread.ofVirtual().name("news-poll").start(this::loop);
  }

  private void loop() {
    boolean missed = false;
    int round = 0;
    while (running) {
      try {
        var id = replica.id();
        if (id.isPresent()) {
          poll(id.get());
          localRuns.reopen();
          runQueue.refresh();
          if (runQueue.someWait()) {
            localRuns.yieldRuns(runQueue.runsWaiting(YIELDS_MAX));
          }
          if (missed) {
            localRuns.nudgeAll(); // notes may have been taken by a round whose answer was lost
          }
          if (++round % ROUNDS_PER_INVENTORY == 0) {
            reconcileOwned(id.get());
          }
          missed = false;
        }
        Thread.sleep(pause);
      } catch (RuntimeException e) {
        // Every failure is survived: without this thread no poll would follow.
        missed = true;
        log.warn("Signals of runs driven here could not be read; polling again", e);
        log.debug("The failure was", e);
        pause();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        return;
      }
    }
  }

  private void pause() {
    try {
      Thread.sleep(pause);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /// One round.
  void poll(String id) {
    signalInbox.drain(id).forEach(localRuns::nudge);
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

  @Override
  public void stop() {
    running = false;
  }

  @Override
  public boolean isRunning() {
    return running;
  }

  /// Polling continues while drivers are asked to end.
  @Override
  public int getPhase() {
    return SmartLifecycle.DEFAULT_PHASE - 1;
  }
}
