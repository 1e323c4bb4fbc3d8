package dev.superstep.run.drive;

import dev.superstep.engine.node.SlotCounts.WithoutRoom;
import dev.superstep.engine.run.Lease;
import dev.superstep.run.drive.LocalRuns.LocalRun;
import dev.superstep.run.drive.LocalRuns.Room;
import dev.superstep.run.drive.RunClaims.Admits;
import dev.superstep.run.drive.RunClaims.Claim;
import dev.superstep.run.drive.RunClaims.Strike;
import dev.superstep.run.drive.RunQueue.QueueTurn;
import dev.superstep.run.stream.CommitNotifier;
import dev.superstep.schedule.WakeHandler;
import dev.superstep.schedule.WakeUps;
import dev.superstep.tenant.Share;
import dev.superstep.wide.SliceWorkers;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.dao.DataAccessException;
import org.springframework.stereotype.Component;
import org.springframework.transaction.TransactionException;

/// Claims runs that are woken, and queues those whose owner is gone.
@Component
class RunWaker implements WakeHandler {
  private static final Logger log = LoggerFactory.getLogger(RunWaker.class);

  private static final int ATTEMPTS_MAX = 20;

  private final RunClaims runClaims;
  private final LocalRuns localRuns;
  private final LocalRunStarter local;
  private final RunQueue runQueue;
  private final Suspects suspects;
  private final CommitNotifier commitNotifier;
  private final SliceWorkers slices;
  private final WakeUps wakeUps;

  RunWaker(
      RunClaims runClaims,
      LocalRuns localRuns,
      LocalRunStarter local,
      RunQueue runQueue,
      Suspects suspects,
      CommitNotifier commitNotifier,
      SliceWorkers slices,
      WakeUps wakeUps) {
    this.runClaims = runClaims;
    this.localRuns = localRuns;
    this.local = local;
    this.runQueue = runQueue;
    this.suspects = suspects;
    this.commitNotifier = commitNotifier;
    this.slices = slices;
    this.wakeUps = wakeUps;
  }

  @Override
  public Handled wake(String run, long number, String replica) {
    for (int attempt = 0; attempt < ATTEMPTS_MAX; attempt++) {
      var room = localRuns.room();
      if (room.isEmpty()) {
        return Handled.FULL;
      }
      try (var one = room.get()) {
        var turn = runQueue.next(run, number);
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
      // Another thread was faster: choose the next run again.
    }
    return Handled.NOT_ITS_TURN;
  }

  /// Claims runs of those who hold few places while there is no room for others: no wake-up is
  /// taken then. First those that wait in the queue, whose turn does not depend on how many
  /// wake-ups of others are due before; then what is due at a time. Rows of wake-ups that are not
  /// needed any more are removed when they are.
  void takeFromReserve(String replica) {
    for (int i = 0; i < ATTEMPTS_MAX && takesQueuedRun(replica); i++) {
      // The next one may be of another tenant.
    }
    var without = localRuns.withoutRoom();
    if (without.isEmpty()) {
      return;
    }
    for (var due : wakeUps.due(without.get().tenants(), names(without.get()), ATTEMPTS_MAX)) {
      var room = localRuns.room(Share.of(due.run(), due.caller()));
      if (room.isPresent()) {
        try (var one = room.get()) {
          take(new QueueTurn(due.run(), due.number(), null), replica, one);
        }
      }
    }
  }

  private boolean takesQueuedRun(String replica) {
    var without = localRuns.withoutRoom();
    if (without.isEmpty() || !runQueue.someWait(localRuns::hasRoom)) {
      return false;
    }
    var next = runQueue.next(without.get());
    var chosen = next.map(QueueTurn::chosen);
    if (chosen.isEmpty()) {
      return false;
    }
    var room = localRuns.room(chosen.get().share());
    if (room.isEmpty()) {
      runQueue.settled(next.get());
      return false;
    }
    try (var one = room.get()) {
      return take(next.get(), replica, one) == Taken.TAKEN;
    }
  }

  private static List<String> names(WithoutRoom without) {
    return without.shares().stream().map(Share::text).toList();
  }

  private enum Taken {
    TAKEN,
    /// It has another owner, or needs no driver any more.
    GONE,
    /// It waits, but this replica may not drive it now.
    NOT_HERE,
    FULL
  }

  private Taken take(QueueTurn turn, String replica, Room room) {
    try {
      var localRun = localRuns.reserve(turn.run(), replica, room);
      return localRun.isEmpty() ? Taken.FULL : take(turn, localRun.get());
    } finally {
      runQueue.settled(turn);
    }
  }

  private Taken take(QueueTurn turn, LocalRun localRun) {
    boolean taken = false;
    try {
      var claim = claim(turn, localRun.owner());
      taken = claim.isPresent();
      claim.ifPresent(it -> local.start(localRun, it));
    } finally {
      if (!taken) {
        localRuns.release(localRun);
      }
    }
    if (taken) {
      return Taken.TAKEN;
    }
    return runClaims.waits(turn.run(), turn.wake()) ? Taken.NOT_HERE : Taken.GONE;
  }

  /// A suspect is claimed only with the one place for suspects of this replica. Whether a run is a
  /// suspect shows when it is claimed: each claim reserves the place, unless it is occupied, and
  /// most return it.
  private Optional<Claim> claim(QueueTurn turn, String owner) {
    boolean reserved = suspects.reserve();
    var admits = reserved ? Admits.ALL : Admits.NO_SUSPECTS;
    boolean taken = false;
    try {
      var claim = runClaims.claim(turn.run(), turn.wake(), owner, admits);
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
    var runs = runClaims.requeueOwnedBy(replica);
    if (!runs.isEmpty()) {
      log.warn("{} runs of replica {} are queued again", runs.size(), replica);
    }
    slices.replicaDied(replica);
  }

  @Override
  public void replicaLost(String replica) {
    localRuns.drop(replica);
    slices.drop();
  }

  @Override
  public void historyChanged(String replica) {
    replicaLost(replica);
    handBackOwnedBy(replica);
    slices.replicaDied(replica);
  }

  /// Without counting it as a death against its runs.
  private void handBackOwnedBy(String owner) {
    for (var owned : runClaims.ownedBy(owner)) {
      var lease = new Lease(owned.run(), owned.epoch());
      runClaims.handBack(lease, Strike.DOES_NOT_COUNT, Duration.ZERO);
    }
  }

  /// An orderly shutdown is not counted as a death, either.
  private void giveUp(String owner) {
    try {
      handBackOwnedBy(owner);
    } catch (DataAccessException | TransactionException e) {
      log.warn("Runs of {} are queued again when it is missed: {}", owner, e.getMessage());
    }
  }

  @Override
  public void drain(Duration atMost) throws InterruptedException {
    slices.drain(atMost);
    localRuns.drain(atMost).forEach(this::giveUp);
    slices.awaitEnd(atMost);
    commitNotifier.close();
  }
}
