package dev.superstep.run.drive;

import dev.superstep.engine.checkpoint.Commit;
import dev.superstep.engine.node.CheckpointStore;
import dev.superstep.engine.node.Inbox;
import dev.superstep.engine.node.LocalInbox;
import dev.superstep.engine.node.SharedSlots;
import dev.superstep.engine.node.WorkPermits;
import dev.superstep.engine.run.RunError;
import dev.superstep.schedule.DatabaseClock;
import dev.superstep.schedule.Replica;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.stereotype.Component;

/// The runs this replica drives, each on a virtual thread of its own. A [LocalRun] is reserved
/// before the run is claimed, so every run that the database says is owned here has one.
@Component
public class LocalRuns {
  private static final Logger log = LoggerFactory.getLogger(LocalRuns.class);

  private static final int BATCH = 12;

  /// Writes in flight are waited for when a run gives up its place.
  private static final Duration PATIENCE = Duration.ofDays(365);

  /// By run. There may be two for a moment: one that has brought the run to rest and is ending, and
  /// one for what comes next.
  private final ConcurrentHashMap<String, List<LocalRun>> byRun = new ConcurrentHashMap<>();

  private final int runsMax;

  /// With the places for callers who hold few ([SharedSlots]).
  private final int placesMax;

  private final Duration turn;
  private final Replica replica;
  private final DatabaseClock clock;
  private final WorkPermits workPermits;
  private final Object lock = new Object();
  private final int reopenAt;
  private final Map<String, Integer> heldBy = new HashMap<>();
  private int taken;
  private boolean closed;
  private volatile boolean draining;

  public LocalRuns(
      RunSettings settings, Replica replica, DatabaseClock clock, WorkPermits workPermits) {
    runsMax = settings.runs().max();
    placesMax = runsMax + SharedSlots.reserve(runsMax);
    turn = settings.runs().turn();
    reopenAt = Math.min(BATCH, Math.max(1, runsMax / 8));
    this.replica = replica;
    this.clock = clock;
    this.workPermits = workPermits;
  }

  /// One run that is driven here, or about to be.
  public static final class LocalRun {
    private final String run;
    private final String owner;
    private final Inbox inbox;
    private final CountDownLatch ended = new CountDownLatch(1);
    private final AtomicBoolean released = new AtomicBoolean();
    private volatile @Nullable Thread thread;
    private volatile long startedAt;
    private volatile long committedAt;
    private final AtomicBoolean yielding = new AtomicBoolean();
    private volatile @Nullable LocalProgress progress;
    private volatile @Nullable CheckpointStore store;
    private volatile @Nullable String caller;

    private LocalRun(String run, String owner, Inbox inbox) {
      this.run = run;
      this.owner = owner;
      this.inbox = inbox;
    }

    String run() {
      return run;
    }

    public String owner() {
      return owner;
    }

    Inbox inbox() {
      return inbox;
    }

    /// Has the driver write to `store`. To be called before the driver is started.
    public void writeTo(CheckpointStore store) {
      this.store = store;
    }

    /// Empty: the one that all drivers write to.
    Optional<CheckpointStore> store() {
      return Optional.ofNullable(store);
    }

    /// Publishes to `progress` what the driver commits. To be called before the driver is started.
    public void watch(LocalProgress progress) {
      this.progress = progress;
    }
  }

  /// Room for one more run, reserved until it is closed, or the [LocalRun] that uses it is
  /// released.
  final class Room implements AutoCloseable {
    private boolean used;

    @Override
    public void close() {
      if (!used) {
        release();
      }
    }
  }

  /// Room for a run that is not known yet; empty if there is none or the process is ending.
  Optional<Room> room() {
    synchronized (lock) {
      if (draining || taken >= runsMax) {
        return Optional.empty();
      }
      return Optional.of(take());
    }
  }

  private Room take() {
    taken++;
    if (taken >= runsMax) {
      closed = true;
      replica.pauseClaims();
    }
    return new Room();
  }

  /// Room for a run of this caller; where all others have none, only if it holds few places.
  Optional<Room> room(String caller) {
    synchronized (lock) {
      int free = placesMax - taken;
      return !draining
              && free > 0
              && (taken < runsMax || SharedSlots.admits(heldBy.getOrDefault(caller, 0), free))
          ? Optional.of(take())
          : Optional.empty();
    }
  }

  /// Whether there is room for callers who hold few places only.
  boolean isFull() {
    synchronized (lock) {
      return closed;
    }
  }

  /// The callers who hold too many places to get another one; empty if there is room for all, or
  /// for none.
  Optional<Set<String>> withoutRoom() {
    synchronized (lock) {
      int free = placesMax - taken;
      return closed && !draining && free > 0
          ? Optional.of(
              heldBy.entrySet().stream()
                  .filter(it -> !SharedSlots.admits(it.getValue(), free))
                  .map(Map.Entry::getKey)
                  .collect(Collectors.toUnmodifiableSet()))
          : Optional.empty();
    }
  }

  private void release() {
    synchronized (lock) {
      taken--;
      if (closed && taken <= runsMax - reopenAt) {
        open();
      }
    }
  }

  /// Room for this run; empty if there is none for its caller, or the process is ending.
  public Optional<LocalRun> reserve(String run, String owner, String caller) {
    var room = room(caller);
    if (room.isEmpty()) {
      return Optional.empty();
    }
    try (var it = room.get()) {
      var localRun = reserve(run, owner, it);
      localRun.ifPresent(reserved -> count(reserved, caller));
      return localRun;
    }
  }

  /// Counts the place to the caller, unless it is already.
  private void count(LocalRun localRun, String caller) {
    synchronized (lock) {
      if (localRun.caller == null && !localRun.released.get()) {
        localRun.caller = caller;
        heldBy.merge(caller, 1, Integer::sum);
      }
    }
  }

  private void uncount(LocalRun localRun) {
    synchronized (lock) {
      if (localRun.caller != null) {
        heldBy.computeIfPresent(localRun.caller, (_, held) -> held == 1 ? null : held - 1);
      }
    }
  }

  private int heldWith(LocalRun localRun) {
    synchronized (lock) {
      return localRun.caller == null ? 0 : heldBy.getOrDefault(localRun.caller, 0);
    }
  }

  /// Uses the room for this run; empty if the process is ending.
  Optional<LocalRun> reserve(String run, String owner, Room room) {
    var localRun = new LocalRun(run, owner, new LocalInbox(clock));
    room.used = true;
    byRun.compute(run, (_, others) -> with(others, localRun));
    if (draining) {
      release(localRun);
      return Optional.empty();
    }
    return Optional.of(localRun);
  }

  private static List<LocalRun> with(@Nullable List<LocalRun> others, LocalRun localRun) {
    return others == null
        ? List.of(localRun)
        : Stream.concat(others.stream(), Stream.of(localRun)).toList();
  }

  /// Releasing twice is harmless: a failed insert releases the run, and so does the end of its
  /// transaction.
  public void release(LocalRun localRun) {
    if (!localRun.released.compareAndSet(false, true)) {
      return;
    }
    byRun.computeIfPresent(localRun.run, (_, all) -> without(all, localRun));
    uncount(localRun);
    release();
    localRun.ended.countDown();
    var progress = localRun.progress;
    if (progress != null) {
      progress.ended();
    }
  }

  /// Asks for runs again if there is any room. Room for a single run is not offered at once: the
  /// scheduler takes several at a time, and would have to return the rest.
  void reopen() {
    synchronized (lock) {
      if (closed && taken < runsMax) {
        open();
      }
    }
  }

  private void open() {
    if (!draining) {
      closed = false;
      replica.resumeClaims();
    }
  }

  /// The driver of this run, which calls it, has committed.
  ///
  /// @return time since its last commit, or since it began
  Duration committed(String run, Commit commit, Instant at) {
    var took = Duration.ZERO;
    long now = System.nanoTime();
    for (var localRun : byRun.getOrDefault(run, List.of())) {
      if (Thread.currentThread().equals(localRun.thread)) {
        took = Duration.ofNanos(now - localRun.committedAt);
        localRun.committedAt = now;
      }
      var progress = localRun.progress;
      if (progress != null) {
        progress.committed(commit, at);
      }
    }
    return took;
  }

  /// What follows the run whose driver calls it.
  Optional<LocalProgress> progress(String run) {
    return byRun.getOrDefault(run, List.of()).stream()
        .filter(it -> Thread.currentThread().equals(it.thread))
        .flatMap(it -> Optional.ofNullable(it.progress).stream())
        .findFirst();
  }

  /// How many places are taken.
  int driven() {
    synchronized (lock) {
      return taken;
    }
  }

  /// How many places there are.
  int places() {
    return runsMax;
  }

  private static @Nullable List<LocalRun> without(List<LocalRun> all, LocalRun localRun) {
    var others = all.stream().filter(it -> it != localRun).toList();
    return others.isEmpty() ? null : others;
  }

  /// Runs `driving` on the run's thread, and releases the run when it ends.
  void start(LocalRun localRun, String caller, Runnable driving) {
    count(localRun, caller);
    var thread =
        Thread.ofVirtual()
            .name("run-" + localRun.run)
            .unstarted(() -> {
              try {
                workPermits.begin(caller, driving);
              } finally {
                release(localRun);
              }
            });
    localRun.thread = thread;
    localRun.startedAt = System.nanoTime();
    localRun.committedAt = localRun.startedAt;
    thread.start();
  }

  /// Asks runs that have been driven for longer than a turn to hand themselves back at their next
  /// superstep, if there is no room for those that wait: those of the callers who hold most places,
  /// the ones driven longest first.
  void yieldRuns(int atMost) {
    synchronized (lock) {
      if (draining || taken < runsMax) {
        return;
      }
    }
    long now = System.nanoTime();
    all()
        .filter(it -> it.thread != null && now - it.startedAt > turn.toNanos())
        .filter(it -> !it.yielding.get())
        .sorted(
            Comparator.comparingInt(this::heldWith)
                .reversed()
                .thenComparingLong(it -> it.startedAt - now))
        .limit(atMost)
        .filter(it -> it.yielding.compareAndSet(false, true))
        .forEach(it -> it.inbox.put(new Inbox.Signal.Drain(clock.instant().plus(PATIENCE))));
  }

  public boolean drives(String run) {
    return byRun.containsKey(run);
  }

  /// Asks the driver of this run, if it is driven here, to read answers and cancels.
  void nudge(String run) {
    byRun.getOrDefault(run, List.of()).forEach(it -> it.inbox.put(new Inbox.Signal.Nudge()));
  }

  void nudgeAll() {
    all().forEach(it -> it.inbox.put(new Inbox.Signal.Nudge()));
  }

  private Stream<LocalRun> all() {
    return byRun.values().stream().flatMap(List::stream);
  }

  /// Fails the runs of a caller who stores more than it may, behind the superstep in progress.
  void stopStoring(String caller) {
    var error =
        RunError.of(
            "storage_quota_exceeded",
            "the API key stores more than it may (superstep.callers.stored-max); delete runs or"
                + " threads that are not needed, and resume");
    all()
        .filter(it -> caller.equals(it.caller))
        .forEach(it -> it.inbox.put(new Inbox.Signal.Stop(error)));
  }

  /// Stops driving the runs owned under this name, without writing to the database.
  void drop(String owner) {
    all().filter(it -> it.owner.equals(owner)).forEach(LocalRuns::interrupt);
  }

  private static void interrupt(LocalRun localRun) {
    var thread = localRun.thread;
    if (thread != null) {
      thread.interrupt();
    }
  }

  /// Asks every driver to hand its run back and waits for them.
  ///
  /// @return owners of runs that were not handed back in time; their drivers are interrupted
  Set<String> drain(Duration atMost) throws InterruptedException {
    synchronized (lock) {
      draining = true;
    }
    var deadline = clock.instant().plus(atMost);
    // Drivers stop a little earlier, so that handing back fits in.
    var last = deadline.minus(atMost.dividedBy(5));
    var driven = all().toList();
    driven.forEach(it -> it.inbox.put(new Inbox.Signal.Drain(last)));
    var late = new HashSet<String>();
    for (var localRun : driven) {
      var left = Duration.between(clock.instant(), deadline);
      if (!localRun.ended.await(Math.max(0, left.toMillis()), TimeUnit.MILLISECONDS)) {
        log.warn("Run {} was not handed back in time; another replica takes it over", localRun.run);
        interrupt(localRun);
        late.add(localRun.owner);
      }
    }
    return late;
  }
}
