package dev.superstep.run;

import dev.superstep.schedule.WakeHandler;
import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.stereotype.Component;

/// Claims runs that are woken, and looks after those whose owner is gone.
@Component
class RunWaker implements WakeHandler {
  private static final Logger log = LoggerFactory.getLogger(RunWaker.class);

  private final Claims claims;
  private final Drivers drivers;
  private final LocalDriving local;
  private final Signals signals;

  RunWaker(Claims claims, Drivers drivers, LocalDriving local, Signals signals) {
    this.claims = claims;
    this.drivers = drivers;
    this.local = local;
    this.signals = signals;
  }

  @Override
  public Handled wake(String run, long number, String replica) {
    var reserved = drivers.reserve(run, replica);
    if (reserved.isEmpty()) {
      return Handled.FULL;
    }
    var slot = reserved.get();
    try {
      var claim = claims.claim(run, number, replica);
      if (claim.isPresent()) {
        local.start(slot, claim.get());
        return Handled.DONE;
      }
    } catch (RuntimeException e) {
      drivers.release(slot);
      throw e;
    }
    drivers.release(slot);
    return Handled.DONE;
  }

  @Override
  public void replicaDied(String replica) {
    var runs = claims.requeueOwnedBy(replica);
    if (!runs.isEmpty()) {
      log.warn("{} runs of replica {} are queued again", runs.size(), replica);
    }
  }

  @Override
  public void replicaLost(String replica) {
    drivers.drop(replica);
  }

  @Override
  public void drain(Duration atMost) throws InterruptedException {
    drivers.drain(atMost);
    signals.close();
  }
}
