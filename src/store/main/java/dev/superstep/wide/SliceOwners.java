package dev.superstep.wide;

import dev.superstep.checkpoint.row.SliceRows;
import dev.superstep.checkpoint.row.SliceRows.Held;
import dev.superstep.checkpoint.row.WideSuperstep;
import dev.superstep.checkpoint.row.WideSupersteps;
import dev.superstep.engine.run.Lease;
import dev.superstep.schedule.DatabaseClock;
import dev.superstep.schedule.SliceHandler;
import dev.superstep.schedule.SliceWake;
import dev.superstep.schedule.WakeHandler.Handled;
import dev.superstep.schedule.WakeUps;
import java.time.Duration;
import java.util.HashSet;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.stereotype.Component;

/// Assigns slices to the workers of this replica, and frees those of replicas that are gone.
@Component
public class SliceOwners implements SliceHandler {
  private static final Logger log = LoggerFactory.getLogger(SliceOwners.class);

  private final SliceWorkers workers;
  private final SliceRows rows;
  private final WakeUps wakeUps;
  private final DatabaseClock clock;
  private final WideSupersteps supersteps;

  SliceOwners(
      SliceWorkers workers,
      SliceRows rows,
      WakeUps wakeUps,
      DatabaseClock clock,
      WideSupersteps supersteps) {
    this.workers = workers;
    this.rows = rows;
    this.wakeUps = wakeUps;
    this.clock = clock;
    this.supersteps = supersteps;
  }

  @Override
  public Handled wake(SliceWake wake) {
    var wide = new WideSuperstep(new Lease(wake.run(), wake.epoch()), wake.superstep());
    return !rows.hasFree(wide) || workers.help(wide) ? Handled.DONE : Handled.FULL;
  }

  /// Frees the slices of a dead replica, and invites other replicas to them. May be called by
  /// several replicas at once, and again for the same one.
  public void replicaDied(String replica) {
    var freed = rows.free(replica);
    if (!freed.isEmpty()) {
      log.warn("{} slices of replica {} are free again", freed.size(), replica);
      wakeUps.invite(freed.stream().map(SliceOwners::wake).toList());
    }
  }

  private static SliceWake wake(Held slice) {
    var wide = slice.of();
    return new SliceWake(
        wide.run(), wide.superstep(), wide.lease().epoch(), slice.number(), slice.claim());
  }

  /// This process was taken for dead under that name: its slices have other owners.
  public void replicaLost(String replica) {
    workers.drop(replica);
  }

  /// The process is ending: nothing more is taken, and what is being executed is given back within
  /// four fifths of `atMost`, as runs are.
  public void drain(Duration atMost) {
    workers.drain(clock.instant().plus(atMost.multipliedBy(4).dividedBy(5)));
  }

  /// Waits until nothing is executed here, `atMost` for so long.
  public void awaitEnd(Duration atMost) throws InterruptedException {
    workers.awaitEnd(atMost);
  }

  /// Frees the slices of owners that are not replicas any more. Owners are read first: a replica is
  /// known before it owns anything. Also removes rows of supersteps whose driver died.
  void reconcile() {
    supersteps.sweep();
    var owners = new HashSet<>(rows.owners());
    owners.removeAll(wakeUps.replicas());
    owners.forEach(this::replicaDied);
  }
}
