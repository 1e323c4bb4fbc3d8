package dev.superstep.run;

import dev.superstep.engine.Lease;
import dev.superstep.run.Claims.Strike;
import dev.superstep.schedule.Replica;
import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.SmartLifecycle;
import org.springframework.stereotype.Component;

/// Finds what other replicas have left for the runs driven here, with one query per round that
/// costs nothing while there is nothing; and, more rarely, runs that are owned here although nobody
/// drives them any more.
@Component
class NewsPoll implements SmartLifecycle {
  private static final Logger log = LoggerFactory.getLogger(NewsPoll.class);
  private static final int ROUNDS_PER_INVENTORY = 10;

  private final Claims claims;
  private final LeftNews news;
  private final Drivers drivers;
  private final Turns turns;
  private final Replica replica;
  private final Backoff backoff;
  private final Duration pause;
  private volatile boolean running;

  // It is where all that is looked for regularly comes together.
  @SuppressWarnings("checkstyle:ParameterNumber")
  NewsPoll(
      Claims claims,
      LeftNews news,
      Drivers drivers,
      Turns turns,
      Replica replica,
      Backoff backoff,
      RunSettings settings) {
    this.claims = claims;
    this.news = news;
    this.drivers = drivers;
    this.turns = turns;
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
          drivers.reopen();
          turns.look();
          if (missed) {
            drivers.nudgeAll(); // notes may have been taken by a round whose answer was lost
          }
          if (++round % ROUNDS_PER_INVENTORY == 0) {
            takeInventory(id.get());
          }
          missed = false;
        }
        Thread.sleep(pause);
      } catch (RuntimeException e) {
        // Whatever it was: nobody would look any more if this thread ended.
        missed = true;
        log.warn("No news of runs driven here, looking again: {}", e.toString());
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
    news.take(id).forEach(drivers::nudge);
  }

  /// Queues what is owned here and not driven here: its driver broke while the database was away,
  /// or nobody knew how the transaction ended that gave it to this process.
  void takeInventory(String id) {
    for (var owned : claims.ownedBy(id)) {
      if (!drivers.drives(owned.run())) {
        // Its driver may just have ended; then the epoch or the owner is another one by now.
        var lease = new Lease(owned.run(), owned.epoch());
        claims.handBack(lease, Strike.DOES_NOT_COUNT, backoff.last(owned.run()));
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

  /// Goes on while drivers are asked to end.
  @Override
  public int getPhase() {
    return SmartLifecycle.DEFAULT_PHASE - 1;
  }
}
