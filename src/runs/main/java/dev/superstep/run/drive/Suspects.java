package dev.superstep.run.drive;

import dev.superstep.engine.run.Lease;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;

/// Limits this replica to one suspect at a time: a run whose owners have died twice in succession,
/// with nothing committed or recorded in between, and which may end the processes that drive it.
/// With one at a time, the next death identifies the culprit; a suspect that commits or records
/// something is cleared.
@Component
class Suspects {
  /// Successive deaths of owners that make a run a suspect.
  static final int DEATHS = 2;

  /// Marks the place while a claim has not shown yet whether the run is a suspect.
  private static final Lease RESERVED = new Lease("", 0);

  private final AtomicReference<@Nullable Lease> driven = new AtomicReference<>();

  /// Whether a suspect may be driven here now.
  boolean isFree() {
    return driven.get() == null;
  }

  /// Reserves the place for a claim, which then [takes][#take] it or [gives it back][#giveBack].
  ///
  /// @return false if another claim or driver has it
  public boolean reserve() {
    return driven.compareAndSet(null, RESERVED);
  }

  /// The reserved place is this driver's, until it [leaves][#release] it.
  public void take(Lease lease) {
    driven.set(lease);
  }

  public void giveBack() {
    driven.set(null);
  }

  /// Releases the place when the run is no suspect any more, or is not driven under this lease.
  /// Does nothing if another driver has the place: an earlier one of the same run may end while the
  /// next one drives.
  public void release(Lease lease) {
    var here = driven.get();
    if (lease.equals(here)) {
      driven.compareAndSet(here, null);
    }
  }
}
