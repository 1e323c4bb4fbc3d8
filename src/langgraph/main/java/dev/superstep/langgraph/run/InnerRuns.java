package dev.superstep.langgraph.run;

import dev.superstep.engine.run.Event;
import dev.superstep.engine.run.TaskKey;
import dev.superstep.state.value.Value;
import dev.superstep.tenant.Tenant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/// Writes the runs that the tasks of one run begin, each on a thread of its own, until the
/// superstep of these tasks commits or the run stops.
final class InnerRuns {
  private final Optional<Consumer<InnerRun>> writer;
  private final List<Thread> open = new ArrayList<>();

  /// @param task that waits for the run
  /// @param after the `seq` behind which its events are
  record InnerRun(String run, TaskKey task, long after) {}

  /// @param writer writes a run until it stops; empty: they are not wanted
  InnerRuns(Optional<Consumer<InnerRun>> writer) {
    this.writer = writer;
  }

  /// @param parent the run whose event it is
  /// @return that it is not the last event
  boolean begin(String parent, Event event) {
    if (event.data().get("run_id") instanceof Value.Text(var run)) {
      follow(new InnerRun(Tenant.of(parent).own(run), MessageFrames.task(event), 0));
    }
    return false;
  }

  boolean areWanted() {
    return writer.isPresent();
  }

  void follow(InnerRun run) {
    writer.ifPresent(
        it -> open.add(Thread.ofVirtual().name("inner-stream").start(() -> it.accept(run))));
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
