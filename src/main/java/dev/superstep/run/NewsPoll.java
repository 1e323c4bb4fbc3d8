package dev.superstep.run;

import dev.superstep.engine.Lease;
import dev.superstep.run.Claims.Owned;
import dev.superstep.run.Claims.Strike;
import dev.superstep.schedule.Replica;
import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.SmartLifecycle;
import org.springframework.dao.DataAccessException;
import org.springframework.stereotype.Component;

/// Finds, with one query per round, what other replicas have left for the runs driven here: answers
/// and cancels; and runs that are owned here although nobody drives them any more.
@Component
class NewsPoll implements SmartLifecycle {
  private static final Logger log = LoggerFactory.getLogger(NewsPoll.class);

  private final Claims claims;
  private final Drivers drivers;
  private final Replica replica;
  private final Duration pause;
  private volatile boolean running;

  NewsPoll(Claims claims, Drivers drivers, Replica replica, RunSettings settings) {
    this.claims = claims;
    this.drivers = drivers;
    this.replica = replica;
    this.pause = settings.newsPoll();
  }

  @Override
  public void start() {
    running = true;
    Thread.ofVirtual().name("news-poll").start(this::loop);
  }

  private void loop() {
    while (running) {
      try {
        replica.id().ifPresent(this::poll);
        Thread.sleep(pause);
      } catch (DataAccessException e) {
        log.debug("No news while the database does not answer", e);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        return;
      }
    }
  }

  /// One round.
  void poll(String id) {
    claims.ownedBy(id).forEach(this::look);
  }

  private void look(Owned owned) {
    if (drivers.drives(owned.run())) {
      drivers.tell(owned);
    } else {
      // Its driver may just have ended; then the epoch or the owner is another one by now.
      claims.handBack(new Lease(owned.run(), owned.epoch()), Strike.DOES_NOT_COUNT, Duration.ZERO);
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
}
