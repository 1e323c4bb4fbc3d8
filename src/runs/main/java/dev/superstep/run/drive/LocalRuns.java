package dev.superstep.run.drive;

import dev.superstep.engine.checkpoint.Commit;
import dev.superstep.engine.node.CheckpointStore;
import dev.superstep.engine.node.Inbox;
import dev.superstep.engine.node.LocalInbox;
import dev.superstep.engine.node.SlotCounts;
import dev.superstep.engine.node.SlotCounts.WithoutRoom;
import dev.superstep.engine.node.WorkPermits;
import dev.superstep.engine.run.RunError;
import dev.superstep.run.check.QuotaBounds.QuotaBound;
import dev.superstep.schedule.DatabaseClock;
import dev.superstep.schedule.Replica;
import dev.superstep.tenant.Share;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
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

  /// With the places for tenants and callers who hold few ([SlotCounts]).
  private final int placesMax;

  private final Duration turn;
  private final Replica replica;
  private final DatabaseClock clock;
  private final WorkPermits workPermits;
  private final Object lock = new Object();
  private final int reopenAt;
  private final SlotCounts held = new SlotCounts();
  private int taken;
  private boolean closed;
  private volatile boolean draining;

  public LocalRuns(
      RunSettings settings, Replica replica, DatabaseClock clock, WorkPermits workPermits) {
    runsMax = settings.runs().max();
    placesMax = SlotCounts.slots(runsMax);
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
    private volatile @Nullable Share share;

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

  /// Whether a run of this share would find room.
  boolean hasRoom(Share share) {
    synchronized (lock) {
      int free = placesMax - taken;
      return !draining && free > 0 && (taken < runsMax || held.admits(share, free));
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

  /// Room for a run of this share; where all others have none, only if it holds few places.
  Optional<Room> room(Share share) {
    synchronized (lock) {
      return hasRoom(share) ? Optional.of(take()) : Optional.empty();
    }
  }

  /// Whether there is room for those only who hold few places.
  boolean isFull() {
    synchronized (lock) {
      return closed;
    }
  }

  /// Those who hold too many places to get another one; empty if there is room for all, or for
  /// none.
  Optional<WithoutRoom> withoutRoom() {
    synchronized (lock) {
      int free = placesMax - taken;
      return closed && !draining && free > 0
          ? Optional.of(held.withoutRoom(free))
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
    var share = Share.of(run, caller);
    var room = room(share);
    if (room.isEmpty()) {
      return Optional.empty();
    }
    try (var it = room.get()) {
      var localRun = reserve(run, owner, it);
      localRun.ifPresent(reserved -> count(reserved, share));
      return localRun;
    }
  }

  /// Counts the place to the share, unless it is already.
  private void count(LocalRun localRun, Share share) {
    synchronized (lock) {
      if (localRun.share == null && !localRun.released.get()) {
        localRun.share = share;
        held.add(share);
      }
    }
  }

  private void uncount(LocalRun localRun) {
    synchronized (lock) {
      var share = localRun.share;
      if (share != null) {
        held.remove(share);
      }
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
  /// @param atRest is given what follows the run, if it rests, before those who wait learn of it
  /// @return time since its last commit, or since it began
  Duration committed(String run, Commit commit, Instant at, Consumer<LocalProgress> atRest) {
    var took = Duration.ZERO;
    long now = System.nanoTime();
    for (var localRun : byRun.getOrDefault(run, List.of())) {
      boolean calls = Thread.currentThread().equals(localRun.thread);
      if (calls) {
        took = Duration.ofNanos(now - localRun.committedAt);
        localRun.committedAt = now;
      }
      var progress = localRun.progress;
      if (progress != null) {
        progress.committed(commit, at, calls ? atRest : _ -> {});
      }
    }
    return took;
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
    var share = Share.of(localRun.run, caller);
    count(localRun, share);
    var thread =
        Thread.ofVirtual()
            .name("run-" + localRun.run)
            .unstarted(() -> {
              try {
                workPermits.begin(share, driving);
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
  /// superstep, if there is no room for those that wait: those of the tenants who hold most places,
  /// of these those of the callers who do, the ones driven longest first.
  void yieldRuns(int atMost) {
    List<LocalRun> longest;
    synchronized (lock) {
      if (draining || taken < runsMax) {
        return;
      }
      longest = drivenForATurn();
    }
    longest.stream()
        .limit(atMost)
        .filter(it -> it.yielding.compareAndSet(false, true))
        .forEach(it -> it.inbox.put(new Inbox.Signal.Drain(clock.instant().plus(PATIENCE))));
  }

  private List<LocalRun> drivenForATurn() {
    long now = System.nanoTime();
    return all()
        .filter(it -> it.thread != null && now - it.startedAt > turn.toNanos())
        .filter(it -> !it.yielding.get())
        .sorted(
            Comparator.comparing(LocalRuns::share, held::compare)
                .thenComparingLong(it -> it.startedAt - now))
        .toList();
  }

  private static Share share(LocalRun localRun) {
    var share = localRun.share;
    return share == null ? Share.NOBODYS : share;
  }

  public boolean drives(String run) {
    return byRun.containsKey(run);
  }

  /// Asks the driver of this run, if it is driven here, to read answers and cancels.
  public void nudge(String run) {
    byRun.getOrDefault(run, List.of()).forEach(it -> it.inbox.put(new Inbox.Signal.Nudge()));
  }

  void nudgeAll() {
    all().forEach(it -> it.inbox.put(new Inbox.Signal.Nudge()));
  }

  private Stream<LocalRun> all() {
    return byRun.values().stream().flatMap(List::stream);
  }

  /// Fails the runs of a caller or tenant that stores more than it may, behind the superstep in
  /// progress.
  void stopStoring(QuotaBound bound) {
    var holder = bound.holder();
    var error =
        RunError.of(
            "storage_quota_exceeded",
            "%s stores more than it may (%s); delete runs or threads that are not needed, and resume"
                .formatted(holder.noun(), bound.property()));
    all()
        .filter(it -> it.share != null && holder.has(share(it)))
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
