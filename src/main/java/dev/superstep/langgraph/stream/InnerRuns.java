package dev.superstep.langgraph.stream;

import dev.superstep.engine.run.Event;
import dev.superstep.state.value.Value;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// Writes the runs that the tasks of one run begin, each on a thread of its own, until the
/// superstep of these tasks commits or the run stops.
final class InnerRuns {
  private final Optional<Follower> follower;
  private final List<Thread> open = new ArrayList<>();

  /// Writes one run that a task has begun, until it stops.
  interface Follower {
    void follow(String run, Event begun);
  }

  /// @param follower empty: they are not wanted
  InnerRuns(Optional<Follower> follower) {
    this.follower = follower;
  }

  /// @return that it is not the last event
  boolean begin(Event event) {
    if (follower.isPresent() && event.data().get("run_id") instanceof Value.Text(var run)) {
      var inner = follower.get();
      open.add(Thread.ofVirtual().name("inner-stream").start(() -> inner.follow(run, event)));
    }
    return false;
  }

  /// Returns when all of them are written.
  void await() {
    try {
      for (var thread : open) {
        thread.join();
      }
      open.clear();
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    }
  }
}
