package dev.superstep.engine;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Outcomes that a crash must not lose while siblings are open (E10.3): written at once if they ask
/// something, in batches otherwise.
final class Recording {
  /// How long an outcome may be unrecorded while siblings are open.
  private static final Duration UNRECORDED_MAX = Duration.ofMillis(100);

  private final Frame frame;
  private final DriverContext driver;
  private final List<Slot> unrecorded = new ArrayList<>();
  private @Nullable Instant recordAt;

  Recording(Frame frame, DriverContext driver) {
    this.frame = frame;
    this.driver = driver;
  }

  void keep(Slot slot) {
    boolean asks = slot.openInterrupt().isPresent();
    if (slot.failed() || (!asks && frame.program().runner(slot.task.key().node()).pure())) {
      return;
    }
    unrecorded.add(slot);
    var now = driver.now();
    if (recordAt == null || asks) {
      recordAt = asks ? now : now.plus(UNRECORDED_MAX);
    }
  }

  Optional<Instant> dueAt() {
    return Optional.ofNullable(recordAt);
  }

  void flushIfDue() {
    if (recordAt != null && !recordAt.isAfter(driver.now())) {
      flush();
    }
  }

  /// Keeps what is not recorded yet; the next claim then finds it.
  void flush() {
    recordAt = null;
    if (!unrecorded.isEmpty()) {
      driver.record(unrecorded);
      unrecorded.clear();
    }
  }
}
