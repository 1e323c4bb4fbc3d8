package dev.superstep.schedule;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/// Holds this process's name in the cluster: that of the `replica` execution it is running, if any.
/// The first replica execution that a process picks gives it its name.
///
/// Something may begin under the name for a lease since the last heartbeat that is in the database:
/// others judge this process by that, so that they never own what it still begins. That the
/// database answers is not enough; an answer may be older than it seems, too.
final class Membership {
  /// A process without a name for this many leases, while the database answers, does not recover.
  private static final int LEASES_MAX = 5;

  private final DatabaseContact contact;
  private final Duration lease;
  private final LongSupplier nanos;
  private @Nullable HeldMembership held;
  private long heartbeat;
  private boolean retiring;
  private @Nullable Long namelessSince;

  private record HeldMembership(String id, CountDownLatch released) {}

  public Membership(DatabaseContact contact, Duration lease, LongSupplier nanos) {
    this.contact = contact;
    this.lease = lease;
    this.nanos = nanos;
  }

  /// Takes the name, unless there is one already.
  ///
  /// @param at when its last heartbeat was written, or earlier, by the clock of `nanos`
  /// @return opens when the name is given up; empty if it was not taken
  public synchronized Optional<CountDownLatch> take(String id, long at) {
    if (held != null) {
      return Optional.empty();
    }
    held = new HeldMembership(id, new CountDownLatch(1));
    retiring = false;
    namelessSince = null;
    heartbeat = at;
    contact.made();
    return Optional.of(held.released());
  }

  /// The database has the name.
  ///
  /// @param at when its last heartbeat was written, or earlier, by the clock of `nanos`
  synchronized void confirm(String id, long at) {
    if (held != null && held.id().equals(id)) {
      heartbeat = at;
    }
  }

  /// Nothing begins under the name any more, until it is given up.
  public synchronized void retire() {
    retiring = true;
  }

  /// Gives the name up.
  public synchronized void release(String id) {
    if (held != null && held.id().equals(id)) {
      held.released().countDown();
      held = null;
    }
  }

  public synchronized Optional<String> name() {
    return Optional.ofNullable(held).map(HeldMembership::id);
  }

  /// The name, while it is safe to begin something under it.
  public synchronized Optional<String> confirmed() {
    boolean safe = !retiring && nanos.getAsLong() - heartbeat <= lease.toNanos();
    return safe ? name() : Optional.empty();
  }

  /// The database has just answered this process.
  public synchronized void databaseAnswered() {
    if (held == null && namelessSince == null) {
      namelessSince = nanos.getAsLong();
    }
  }

  /// The database did not answer: the missing name is not this process's fault.
  public synchronized void databaseSilent() {
    namelessSince = null;
  }

  /// Whether this process has been without a name for several leases although the database answers.
  synchronized boolean isStranded() {
    return namelessSince != null
        && nanos.getAsLong() - namelessSince > lease.multipliedBy(LEASES_MAX).toNanos();
  }
}
