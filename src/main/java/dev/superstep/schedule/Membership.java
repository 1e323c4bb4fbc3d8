package dev.superstep.schedule;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;

/// Which name this process has in the cluster: that of the `replica` execution it is running, if it
/// is running one. Whichever replica execution a process picks first gives it its name.
final class Membership {
  private final DatabaseContact contact;
  private final Duration lease;
  private @Nullable Held held;

  private record Held(String id, CountDownLatch released) {}

  Membership(DatabaseContact contact, Duration lease) {
    this.contact = contact;
    this.lease = lease;
  }

  /// Takes the name, unless there is one already.
  ///
  /// @return opens when the name is given up; empty if it was not taken
  synchronized Optional<CountDownLatch> take(String id) {
    if (held != null) {
      return Optional.empty();
    }
    held = new Held(id, new CountDownLatch(1));
    contact.made();
    return Optional.of(held.released());
  }

  /// Gives the name up.
  synchronized void release(String id) {
    if (held != null && held.id().equals(id)) {
      held.released().countDown();
      held = null;
    }
  }

  synchronized Optional<String> name() {
    return Optional.ofNullable(held).map(Held::id);
  }

  /// The name, while it is safe to begin something under it.
  Optional<String> confirmed() {
    return contact.within(lease) ? name() : Optional.empty();
  }
}
