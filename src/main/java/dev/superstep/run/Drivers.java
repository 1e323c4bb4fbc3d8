package dev.superstep.run;

import dev.superstep.engine.Commit;
import dev.superstep.engine.Foreground;
import dev.superstep.engine.Inbox;
import dev.superstep.engine.LocalInbox;
import dev.superstep.schedule.DatabaseClock;
import dev.superstep.schedule.Replica;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.stereotype.Component;

/// The runs this replica drives, each on a virtual thread of its own. A slot is taken before the
/// run is claimed, so that whatever the database says is owned here has a slot here.
@Component
class Drivers {
  private static final Logger log = LoggerFactory.getLogger(Drivers.class);

  private static final int BATCH = 12;

  /// By run. There may be two for a moment: one that has brought the run to rest and is ending, and
  /// one for what comes next.
  private final ConcurrentHashMap<String, List<Slot>> slots = new ConcurrentHashMap<>();

  private final int runsMax;
  private final Replica replica;
  private final DatabaseClock clock;
  private final Foreground foreground;
  private final Object lock = new Object();
  private final int reopenAt;
  private int taken;
  private boolean closed;
  private volatile boolean draining;

  Drivers(RunSettings settings, Replica replica, DatabaseClock clock, Foreground foreground) {
    runsMax = settings.runs().max();
    reopenAt = Math.min(BATCH, Math.max(1, runsMax / 8));
    this.replica = replica;
    this.clock = clock;
    this.foreground = foreground;
  }

  /// One run that is driven here, or about to be.
  static final class Slot {
    private final String run;
    private final String owner;
    private final Inbox inbox;
    private final CountDownLatch ended = new CountDownLatch(1);
    private final AtomicBoolean released = new AtomicBoolean();
    private volatile @Nullable Thread thread;
    private volatile @Nullable LocalProgress progress;

    private Slot(String run, String owner, Inbox inbox) {
      this.run = run;
      this.owner = owner;
      this.inbox = inbox;
    }

    String run() {
      return run;
    }

    String owner() {
      return owner;
    }

    Inbox inbox() {
      return inbox;
    }

    /// Has `progress` told what the driver commits. To be called before the driver is started.
    void watch(LocalProgress progress) {
      this.progress = progress;
    }
  }

  /// Room for one more run, which nobody else gets until it is closed, or the slot that used it is
  /// released.
  final class Room implements AutoCloseable {
    private boolean used;

    @Override
    public void close() {
      if (!used) {
        leave();
      }
    }
  }

  /// Room for a run that is not known yet; empty if there is none or the process is ending.
  Optional<Room> room() {
    synchronized (lock) {
      if (draining || taken >= runsMax) {
        return Optional.empty();
      }
      taken++;
      if (taken >= runsMax) {
        closed = true;
        replica.pauseClaims();
      }
      return Optional.of(new Room());
    }
  }

  private void leave() {
    synchronized (lock) {
      taken--;
      if (closed && taken <= runsMax - reopenAt) {
        open();
      }
    }
  }

  /// Room for this run; empty if there is none or the process is ending.
  Optional<Slot> reserve(String run, String owner) {
    var room = room();
    if (room.isEmpty()) {
      return Optional.empty();
    }
    try (var it = room.get()) {
      return reserve(run, owner, it);
    }
  }

  /// Uses the room for this run; empty if the process is ending.
  Optional<Slot> reserve(String run, String owner, Room room) {
    var slot = new Slot(run, owner, new LocalInbox(clock));
    room.used = true;
    slots.compute(run, (_, others) -> with(others, slot));
    if (draining) {
      release(slot);
      return Optional.empty();
    }
    return Optional.of(slot);
  }

  private static List<Slot> with(@Nullable List<Slot> others, Slot slot) {
    return others == null
        ? List.of(slot)
        : Stream.concat(others.stream(), Stream.of(slot)).toList();
  }

  /// Whoever gives up a slot that another gives up as well does no harm: a birth that fails does
  /// so, and the end of its transaction.
  void release(Slot slot) {
    if (!slot.released.compareAndSet(false, true)) {
      return;
    }
    slots.computeIfPresent(slot.run, (_, all) -> without(all, slot));
    leave();
    slot.ended.countDown();
    var progress = slot.progress;
    if (progress != null) {
      progress.ended();
    }
  }

  /// Asks for runs again if there is any room. Room for a single run is not offered at once: the
  /// scheduler takes several at a time, and would have to put the others back.
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

  /// The driver of this run has committed.
  void committed(String run, Commit commit, Instant at) {
    for (var slot : slots.getOrDefault(run, List.of())) {
      var progress = slot.progress;
      if (progress != null) {
        progress.committed(commit, at);
      }
    }
  }

  private static @Nullable List<Slot> without(List<Slot> all, Slot slot) {
    var others = all.stream().filter(it -> it != slot).toList();
    return others.isEmpty() ? null : others;
  }

  /// Runs `driving` on the slot's thread, and releases the slot when it ends.
  void start(Slot slot, Runnable driving) {
    var thread =
        Thread.ofVirtual()
            .name("run-" + slot.run)
            .unstarted(() -> {
              try {
                foreground.begin(driving);
              } finally {
                release(slot);
              }
            });
    slot.thread = thread;
    thread.start();
  }

  boolean drives(String run) {
    return slots.containsKey(run);
  }

  /// Has the driver of this run, if it is driven here, look for answers and cancels.
  void nudge(String run) {
    slots.getOrDefault(run, List.of()).forEach(it -> it.inbox.put(new Inbox.Signal.Nudge()));
  }

  void nudgeAll() {
    all().forEach(it -> it.inbox.put(new Inbox.Signal.Nudge()));
  }

  private Stream<Slot> all() {
    return slots.values().stream().flatMap(List::stream);
  }

  /// Stops driving what is owned under this name, without a word to the database.
  void drop(String owner) {
    all().filter(it -> it.owner.equals(owner)).forEach(Drivers::interrupt);
  }

  private static void interrupt(Slot slot) {
    var thread = slot.thread;
    if (thread != null) {
      thread.interrupt();
    }
  }

  /// Asks every driver to hand its run back and waits for them.
  ///
  /// @return owners of runs that were not handed back in time; their drivers are told to drop them
  Set<String> drain(Duration atMost) throws InterruptedException {
    synchronized (lock) {
      draining = true;
    }
    var deadline = clock.instant().plus(atMost);
    // Drivers give up a little earlier, so that handing back fits in.
    var last = deadline.minus(atMost.dividedBy(5));
    var driven = all().toList();
    driven.forEach(it -> it.inbox.put(new Inbox.Signal.Drain(last)));
    var late = new HashSet<String>();
    for (var slot : driven) {
      var left = Duration.between(clock.instant(), deadline);
      if (!slot.ended.await(Math.max(0, left.toMillis()), TimeUnit.MILLISECONDS)) {
        log.warn("Run {} was not handed back in time; another replica takes it over", slot.run);
        interrupt(slot);
        late.add(slot.owner);
      }
    }
    return late;
  }
}
