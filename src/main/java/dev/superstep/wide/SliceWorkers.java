package dev.superstep.wide;

import dev.superstep.checkpoint.SliceRows;
import dev.superstep.checkpoint.StoreUnavailableException;
import dev.superstep.checkpoint.TakenSlice;
import dev.superstep.checkpoint.WideSuperstep;
import dev.superstep.engine.Inbox;
import dev.superstep.engine.LocalInbox;
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
  /// A slice that was taken this often is left to its driver: what it does to its executors must
  /// count against its run.
  static final int CLAIMS_MAX = 6;

  private static final Logger log = LoggerFactory.getLogger(SliceWorkers.class);

  private final SliceExecution execution;
  private final SliceRows rows;
  private final Replica replica;
  private final DatabaseClock clock;
  private final WideSettings settings;
  private final Set<Active> active = ConcurrentHashMap.newKeySet();
  private final Map<WideSuperstep, Crew> crews = new HashMap<>();
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
      SliceExecution execution,
      SliceRows rows,
      Replica replica,
      DatabaseClock clock,
      WideSettings settings) {
    this.execution = execution;
    this.rows = rows;
    this.replica = replica;
    this.clock = clock;
    this.settings = settings;
  }

  /// Puts lanes of this replica to work on the superstep, unless they are at it already.
  ///
  /// @return whether there are more now
  boolean help(WideSuperstep wide) {
    if (draining || replica.id().isEmpty()) {
      return false;
    }
    synchronized (crews) {
      int before = lanes;
      var crew = crews.computeIfAbsent(wide, Crew::new);
      while (lanes < settings.slicesMax() && crew.size() < settings.parallel()) {
        var lane = Thread.ofVirtual().name("slices-" + wide.run()).unstarted(() -> work(crew));
        crew.add(lane);
        lanes++;
        lane.start();
      }
      forgetIfEmpty(crew);
      return lanes > before;
    }
  }

  private void forgetIfEmpty(Crew crew) {
    if (crew.size() == 0) {
      crews.remove(crew.wide());
    }
  }

  private void work(Crew crew) {
    try {
      boolean more = true;
      while (more && !draining) {
        more = next(crew);
      }
    } catch (StoreUnavailableException | DataAccessException | TransactionException e) {
      log.warn("No slices while the database does not answer", e);
    } finally {
      leave(crew);
    }
  }

  private void leave(Crew crew) {
    synchronized (crews) {
      lanes--;
      crew.remove(Thread.currentThread());
      forgetIfEmpty(crew);
      crews.notifyAll();
    }
  }

  private boolean next(Crew crew) {
    var taken = replica.id().flatMap(it -> rows.take(crew.wide(), it, CLAIMS_MAX));
    if (taken.isEmpty()) {
      return false;
    }
    var slice = new Active(taken.get(), new LocalInbox(clock));
    active.add(slice);
    try {
      return execution.execute(crew, slice.slice(), slice.inbox());
    } finally {
      active.remove(slice);
    }
  }

  Set<Active> active() {
    return Set.copyOf(active);
  }

  /// Stops executing what is owned under this name, without a word to the database.
  void drop(String owner) {
    active.stream().filter(it -> it.slice().owner().equals(owner)).forEach(Active::stop);
  }

  /// Takes nothing more, and has what is being executed given back by `last`.
  void drain(Instant last) {
    draining = true;
    active.forEach(it -> it.inbox().put(new Inbox.Signal.Drain(last)));
  }

  /// Waits for the lanes to end.
  void awaitEnd(Duration atMost) throws InterruptedException {
    var deadline = clock.instant().plus(atMost);
    synchronized (crews) {
      while (lanes > 0) {
        long left = Duration.between(clock.instant(), deadline).toMillis();
        if (left <= 0) {
          return;
        }
        crews.wait(left);
      }
    }
  }
}
