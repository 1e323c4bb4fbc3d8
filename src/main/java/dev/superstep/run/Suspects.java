package dev.superstep.run;

import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;

/// Runs whose owners have died twice in succession, with nothing committed or recorded in between.
/// One of those that were in flight may end the processes that drive it. This replica drives one
/// suspect at a time, so that the next process that dies says which one it is; a suspect that
/// commits or records something is none any more.
@Component
class Suspects {
  /// Deaths of owners in succession that make a run a suspect.
  static final int DEATHS = 2;

  private final AtomicReference<@Nullable String> driven = new AtomicReference<>();

  /// Whether a suspect may be driven here now.
  boolean isFree() {
    return driven.get() == null;
  }

  /// Takes the place, until the run [leaves][#leave] it.
  ///
  /// @return false if another run has it
  boolean enter(String run) {
    return driven.compareAndSet(null, run);
  }

  /// The run is no suspect any more, or is not driven here. Nothing happens if it does not have the
  /// place.
  void leave(String run) {
    var here = driven.get();
    if (run.equals(here)) {
      driven.compareAndSet(here, null);
    }
  }
}
