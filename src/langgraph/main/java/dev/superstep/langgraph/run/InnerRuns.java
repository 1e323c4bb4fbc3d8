package dev.superstep.langgraph.run;

import dev.superstep.engine.run.Event;
import dev.superstep.engine.run.TaskKey;
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
    /// @param after the `seq` behind which its events are
    void follow(String run, TaskKey task, long after);
  }

  /// A run that had stopped, or was moving, when its parent was resumed.
  record Resumed(String run, TaskKey task, long after) {}

  /// @param follower empty: they are not wanted
  InnerRuns(Optional<Follower> follower) {
    this.follower = follower;
  }

  /// @return that it is not the last event
  boolean begin(Event event) {
    if (event.data().get("run_id") instanceof Value.Text(var run)) {
      follow(new Resumed(run, MessageFrames.task(event), 0));
    }
    return false;
  }

  boolean isWanted() {
    return follower.isPresent();
  }

  void follow(Resumed run) {
    follower.ifPresent(it ->
        open.add(
            Thread.ofVirtual()
                .name("inner-stream")
                .start(() -> it.follow(run.run(), run.task(), run.after()))));
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
