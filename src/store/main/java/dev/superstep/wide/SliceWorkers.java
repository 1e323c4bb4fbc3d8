package dev.superstep.wide;

import static java.util.stream.Collectors.counting;
import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.toSet;

import dev.superstep.checkpoint.StoreUnavailableException;
import dev.superstep.checkpoint.work.SliceQueue;
import dev.superstep.checkpoint.work.TakenSlice;
import dev.superstep.database.LoggedFailure;
import dev.superstep.engine.node.Inbox;
import dev.superstep.engine.node.LocalInbox;
import dev.superstep.schedule.DatabaseClock;
import dev.superstep.schedule.Replica;
import dev.superstep.schedule.ReplicaPoll;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.dao.DataAccessException;
import org.springframework.stereotype.Component;
import org.springframework.transaction.TransactionException;

/// Executes slices on this replica, of each superstep a few at a time. Each lane is a virtual
/// thread that claims one slice after another, until there is none for it.
@Component
public class SliceWorkers implements ReplicaPoll {
  private static final Logger log = LoggerFactory.getLogger(SliceWorkers.class);

  private static final Duration END_PAUSE = Duration.ofMillis(10);

  private final SliceRunner sliceRunner;
  private final SliceQueue queue;
  private final Replica replica;
  private final DatabaseClock clock;
  private final WideSettings settings;
  private final Set<Active> active = ConcurrentHashMap.newKeySet();
  private final Object claiming = new Object();
  private final AtomicBoolean looking = new AtomicBoolean();
  private final AtomicBoolean keeping = new AtomicBoolean();
  private volatile boolean draining;

  /// A slice that is being executed here.
  private record Active(TakenSlice slice, Inbox inbox) {

    /// Interrupts its node calls, not its own thread: that may be using a connection.
    void stop() {
      inbox.put(new Inbox.Signal.Drain(Instant.EPOCH));
    }
  }

  SliceWorkers(
      SliceRunner sliceRunner,
      SliceQueue queue,
      Replica replica,
      DatabaseClock clock,
      WideSettings settings) {
    this.sliceRunner = sliceRunner;
    this.queue = queue;
    this.replica = replica;
    this.clock = clock;
    this.settings = settings;
  }

  @Override
  public Duration pause() {
    return settings.poll();
  }

  /// Looks for slices, unless this replica is to have none.
  @Override
  public void poll(String name) {
    if (settings.threshold() > 0) {
      help();
    }
    keepOn();
  }

  /// As long as something is executed here. Other polls, which may take long, hold it up in
  /// nothing.
  private void keep() {
    try {
      while (!active.isEmpty()) {
        Thread.sleep(settings.poll());
        keep(Set.copyOf(active));
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      keeping.set(false);
    }
    keepOn();
  }

  private void keepOn() {
    if (!active.isEmpty() && keeping.compareAndSet(false, true)) {
      Thread.ofVirtual().name("slices-kept").start(this::keep);
    }
  }

  /// Prolongs the leases of what is executed here, and stops what is not wanted any more.
  private void keep(Set<Active> slices) {
    try {
      var kept = queue.keep(slices.stream().map(Active::slice).toList());
      slices.stream().filter(it -> !kept.contains(it.slice().token())).forEach(Active::stop);
    } catch (StoreUnavailableException | DataAccessException | TransactionException e) {
      log.debug("Leases of slices are prolonged later", e);
    }
  }

  /// There may be slices. Looks for them on another thread, unless one does already.
  void help() {
    if (looking.compareAndSet(false, true)) {
      Thread.ofVirtual().name("slices").start(this::look);
    }
  }

  private void look() {
    try {
      claimAll();
    } catch (StoreUnavailableException | DataAccessException | TransactionException e) {
      log.debug("Slices are looked for again", e);
    } catch (RuntimeException e) {
      log.error("A slice cannot be read; others get it when its lease is over", e);
    } finally {
      looking.set(false);
    }
  }

  private void claimAll() {
    for (var next = claim(); next.isPresent(); next = claim()) {
      var first = next.get();
      Thread.ofVirtual().name("slices-" + first.slice().of().run()).start(() -> work(first));
    }
  }

  private void work(Active first) {
    try {
      var next = Optional.of(first);
      while (next.isPresent()) {
        var ended = next.get().slice();
        next = execute(next.get()) ? claimBehind(ended) : Optional.empty();
      }
    } catch (StoreUnavailableException | DataAccessException | TransactionException e) {
      log.warn("No slices are taken for now: {}", new LoggedFailure(e));
    }
  }

  private boolean execute(Active it) {
    try {
      return sliceRunner.execute(it.slice(), it.inbox());
    } finally {
      active.remove(it);
    }
  }

  /// One at a time, so that no superstep has more lanes than it may have.
  private Optional<Active> claim() {
    synchronized (claiming) {
      if (draining || active.size() >= settings.slicesMax()) {
        return Optional.empty();
      }
      return replica.id().flatMap(it -> queue.claim(it, full())).map(this::begin);
    }
  }

  /// A lane stays with its superstep as long as there is room for others.
  private Optional<Active> claimBehind(TakenSlice ended) {
    synchronized (claiming) {
      var of = ended.of();
      if (draining || 2 * active.size() >= settings.slicesMax() || full().contains(of.run())) {
        return claim();
      }
      return replica.id().flatMap(it -> queue.claimNext(it, of)).map(this::begin).or(this::claim);
    }
  }

  /// The runs that have all their lanes.
  private Set<String> full() {
    return active.stream()
        .collect(groupingBy(it -> it.slice().of().run(), counting()))
        .entrySet()
        .stream()
        .filter(it -> it.getValue() >= settings.parallel())
        .map(Map.Entry::getKey)
        .collect(toSet());
  }

  private Active begin(TakenSlice slice) {
    var it = new Active(slice, new LocalInbox(clock));
    active.add(it);
    keepOn();
    if (draining) {
      it.stop();
    }
    return it;
  }

  /// Has the slices of a dead replica queued again. May be called by several replicas at once, and
  /// again for the same one.
  public void replicaDied(String name) {
    int lost = queue.lose(name);
    if (lost > 0) {
      log.warn("{} slices of replica {} are queued again", lost, name);
    }
  }

  /// Stops executing slices, without a write to the database: this process was taken for dead.
  public void drop() {
    active.forEach(Active::stop);
  }

  /// The process is ending: nothing more is taken, and what is being executed is given back within
  /// four fifths of `atMost`, as runs are.
  public void drain(Duration atMost) {
    draining = true;
    var last = clock.instant().plus(atMost.multipliedBy(4).dividedBy(5));
    active.forEach(it -> it.inbox().put(new Inbox.Signal.Drain(last)));
  }

  /// Waits until nothing is executed here, `atMost` for so long. What was claimed meanwhile, or is
  /// not over, is left to others.
  public void awaitEnd(Duration atMost) throws InterruptedException {
    var deadline = clock.instant().plus(atMost);
    while (!active.isEmpty() && clock.instant().isBefore(deadline)) {
      Thread.sleep(END_PAUSE);
    }
    try {
      replica.id().ifPresent(queue::lose);
    } catch (StoreUnavailableException | DataAccessException | TransactionException e) {
      log.debug("Slices are left to the ends of their leases", e);
    }
  }
}
