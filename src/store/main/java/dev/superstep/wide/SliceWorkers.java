package dev.superstep.wide;

import dev.superstep.checkpoint.StoreUnavailableException;
import dev.superstep.checkpoint.row.SliceRows;
import dev.superstep.checkpoint.row.TakenSlice;
import dev.superstep.checkpoint.row.WideSuperstep;
import dev.superstep.database.LoggedFailure;
import dev.superstep.engine.node.Inbox;
import dev.superstep.engine.node.LocalInbox;
import dev.superstep.schedule.DatabaseClock;
import dev.superstep.schedule.Replica;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.dao.DataAccessException;
import org.springframework.stereotype.Component;
import org.springframework.transaction.TransactionException;

/// Executes slices on this replica. Per superstep there are a few lanes, each a virtual thread that
/// takes one slice after another until none is left.
@Component
class SliceWorkers {
  /// A slice that was taken this often is left to its driver: if it breaks its executors, that must
  /// count against its run.
  static final int CLAIMS_MAX = 6;

  private static final Logger log = LoggerFactory.getLogger(SliceWorkers.class);

  private final SliceRunner sliceRunner;
  private final SliceRows rows;
  private final Replica replica;
  private final DatabaseClock clock;
  private final WideSettings settings;
  private final Set<Active> active = ConcurrentHashMap.newKeySet();
  private final Map<WideSuperstep, SliceWorkerGroup> sliceWorkerGroups = new HashMap<>();
  private int lanes;
  private volatile boolean draining;

  /// A slice that is being executed here.
  record Active(TakenSlice slice, Inbox inbox) {

    /// Interrupts its node calls, not its own thread: that may be using a connection.
    void stop() {
      inbox.put(new Inbox.Signal.Drain(Instant.EPOCH));
    }
  }

  SliceWorkers(
      SliceRunner sliceRunner,
      SliceRows rows,
      Replica replica,
      DatabaseClock clock,
      WideSettings settings) {
    this.sliceRunner = sliceRunner;
    this.rows = rows;
    this.replica = replica;
    this.clock = clock;
    this.settings = settings;
  }

  /// Starts lanes of this replica for the superstep, up to their limits.
  ///
  /// @return whether lanes were started
  boolean help(WideSuperstep wide) {
    if (draining || replica.id().isEmpty()) {
      return false;
    }
    synchronized (sliceWorkerGroups) {
      int before = lanes;
      var sliceWorkerGroup = sliceWorkerGroups.computeIfAbsent(wide, SliceWorkerGroup::new);
      while (lanes < settings.slicesMax() && sliceWorkerGroup.size() < settings.parallel()) {
        var lane =
            Thread.ofVirtual().name("slices-" + wide.run()).unstarted(() -> work(sliceWorkerGroup));
        sliceWorkerGroup.add(lane);
        lanes++;
        lane.start();
      }
      forgetIfEmpty(sliceWorkerGroup);
      return lanes > before;
    }
  }

  private void forgetIfEmpty(SliceWorkerGroup sliceWorkerGroup) {
    if (sliceWorkerGroup.size() == 0) {
      sliceWorkerGroups.remove(sliceWorkerGroup.wide());
    }
  }

  private void work(SliceWorkerGroup sliceWorkerGroup) {
    try {
      boolean more = true;
      while (more && !draining) {
        more = next(sliceWorkerGroup);
      }
    } catch (StoreUnavailableException | DataAccessException | TransactionException e) {
      log.warn("No slices are taken for now: {}", new LoggedFailure(e));
    } finally {
      release(sliceWorkerGroup);
    }
  }

  private void release(SliceWorkerGroup sliceWorkerGroup) {
    synchronized (sliceWorkerGroups) {
      lanes--;
      sliceWorkerGroup.remove(Thread.currentThread());
      forgetIfEmpty(sliceWorkerGroup);
      sliceWorkerGroups.notifyAll();
    }
  }

  private boolean next(SliceWorkerGroup sliceWorkerGroup) {
    var taken = replica.id().flatMap(it -> rows.take(sliceWorkerGroup.wide(), it, CLAIMS_MAX));
    if (taken.isEmpty()) {
      return false;
    }
    var slice = new Active(taken.get(), new LocalInbox(clock));
    active.add(slice);
    try {
      return sliceRunner.execute(sliceWorkerGroup, slice.slice(), slice.inbox());
    } finally {
      active.remove(slice);
    }
  }

  Set<Active> active() {
    return Set.copyOf(active);
  }

  /// Stops executing slices owned under this name, without a write to the database.
  void drop(String owner) {
    active.stream().filter(it -> it.slice().owner().equals(owner)).forEach(Active::stop);
  }

  /// Takes no more slices, and has the active ones given back by `last`.
  void drain(Instant last) {
    draining = true;
    active.forEach(it -> it.inbox().put(new Inbox.Signal.Drain(last)));
  }

  /// Waits for the lanes to end.
  void awaitEnd(Duration atMost) throws InterruptedException {
    var deadline = clock.instant().plus(atMost);
    synchronized (sliceWorkerGroups) {
      while (lanes > 0) {
        long left = Duration.between(clock.instant(), deadline).toMillis();
        if (left <= 0) {
          return;
        }
        sliceWorkerGroups.wait(left);
      }
    }
  }
}
