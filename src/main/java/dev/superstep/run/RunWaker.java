package dev.superstep.run;

import dev.superstep.engine.Lease;
import dev.superstep.run.Claims.Admits;
import dev.superstep.run.Claims.Claim;
import dev.superstep.run.Claims.Strike;
import dev.superstep.run.Drivers.Room;
import dev.superstep.run.Drivers.Slot;
import dev.superstep.run.Turns.Turn;
import dev.superstep.schedule.WakeHandler;
import dev.superstep.wide.SliceOwners;
import java.time.Duration;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.dao.DataAccessException;
import org.springframework.stereotype.Component;
import org.springframework.transaction.TransactionException;

/// Claims runs that are woken, and looks after those whose owner is gone.
@Component
class RunWaker implements WakeHandler {
  private static final Logger log = LoggerFactory.getLogger(RunWaker.class);

  private static final int LOOKS_MAX = 20;

  private final Claims claims;
  private final Drivers drivers;
  private final LocalDriving local;
  private final Turns turns;
  private final Suspects suspects;
  private final Signals signals;
  private final SliceOwners slices;

  // One collaborator for each thing that the cluster asks of a replica.
  @SuppressWarnings("checkstyle:ParameterNumber")
  RunWaker(
      Claims claims,
      Drivers drivers,
      LocalDriving local,
      Turns turns,
      Suspects suspects,
      Signals signals,
      SliceOwners slices) {
    this.claims = claims;
    this.drivers = drivers;
    this.local = local;
    this.turns = turns;
    this.suspects = suspects;
    this.signals = signals;
    this.slices = slices;
  }

  @Override
  public Handled wake(String run, long number, String replica) {
    for (int look = 0; look < LOOKS_MAX; look++) {
      var room = drivers.room();
      if (room.isEmpty()) {
        return Handled.FULL;
      }
      try (var one = room.get()) {
        var turn = turns.next(run, number);
        switch (take(turn, replica, one)) {
          case FULL -> {
            return Handled.FULL;
          }
          case TAKEN -> {
            return turn.run().equals(run) ? Handled.DONE : Handled.NOT_ITS_TURN;
          }
          case NOT_HERE -> {
            return Handled.NOT_HERE;
          }
          case GONE -> {
            if (turn.run().equals(run)) {
              return Handled.DONE;
            }
          }
        }
      }
      // Another thread was faster: look again whose turn it is.
    }
    return Handled.NOT_ITS_TURN;
  }

  private enum Taken {
    TAKEN,
    /// Somebody else has it, or it does not need anybody any more.
    GONE,
    /// It waits, but this replica may not drive it now.
    NOT_HERE,
    FULL
  }

  private Taken take(Turn turn, String replica, Room room) {
    try {
      var slot = drivers.reserve(turn.run(), replica, room);
      return slot.isEmpty() ? Taken.FULL : take(turn, slot.get());
    } finally {
      turns.settled(turn);
    }
  }

  private Taken take(Turn turn, Slot slot) {
    boolean taken = false;
    try {
      var claim = claim(turn, slot.owner());
      taken = claim.isPresent();
      claim.ifPresent(it -> local.start(slot, it));
    } finally {
      if (!taken) {
        drivers.release(slot);
      }
    }
    if (taken) {
      return Taken.TAKEN;
    }
    return claims.waits(turn.run(), turn.wake()) ? Taken.NOT_HERE : Taken.GONE;
  }

  /// A suspect is claimed only with the place of the one that this replica may drive. What a run is
  /// shows when it is claimed: each claim reserves the place, unless it is occupied, and most give
  /// it back.
  private Optional<Claim> claim(Turn turn, String owner) {
    boolean reserved = suspects.reserve();
    var admits = reserved ? Admits.ALL : Admits.NO_SUSPECTS;
    boolean taken = false;
    try {
      var claim = claims.claim(turn.run(), turn.wake(), owner, admits);
      var suspect = claim.filter(Claim::isSuspect);
      suspect.map(Claim::lease).ifPresent(suspects::take);
      taken = suspect.isPresent();
      return claim;
    } finally {
      if (reserved && !taken) {
        suspects.giveBack();
      }
    }
  }

  @Override
  public void replicaDied(String replica) {
    var runs = claims.requeueOwnedBy(replica);
    if (!runs.isEmpty()) {
      log.warn("{} runs of replica {} are queued again", runs.size(), replica);
    }
    slices.replicaDied(replica);
  }

  @Override
  public void replicaLost(String replica) {
    drivers.drop(replica);
    slices.replicaLost(replica);
  }

  /// A process that ends in good order is no death that says anything about its runs.
  private void giveUp(String owner) {
    try {
      for (var owned : claims.ownedBy(owner)) {
        var lease = new Lease(owned.run(), owned.epoch());
        claims.handBack(lease, Strike.DOES_NOT_COUNT, Duration.ZERO);
      }
    } catch (DataAccessException | TransactionException e) {
      log.warn("Runs of {} are queued again when it is missed: {}", owner, e.getMessage());
    }
  }

  @Override
  public void drain(Duration atMost) throws InterruptedException {
    slices.drain(atMost);
    drivers.drain(atMost).forEach(this::giveUp);
    slices.awaitEnd(atMost);
    signals.close();
  }
}
