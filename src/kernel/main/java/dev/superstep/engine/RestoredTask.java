package dev.superstep.engine;

import dev.superstep.engine.OpenTask.Phase;
import dev.superstep.engine.checkpoint.ChildRef;
import dev.superstep.engine.checkpoint.TaskRecord;
import dev.superstep.engine.checkpoint.TaskRecord.TaskStatus;
import dev.superstep.engine.node.Release;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// What a stored record makes of its task when a driver opens the superstep again.
///
/// @param changed whether the record differs from the stored one
record RestoredTask(TaskRecord record, Phase phase, boolean changed) {

  static RestoredTask of(TaskRecord held, Release release) {
    return switch (held.status()) {
      case TaskStatus.Waiting _, TaskStatus.Child _, TaskStatus.AtWorker _ ->
          unchanged(held, Phase.SLEEPING);
      case TaskStatus.Open _ -> unchanged(held, Phase.READY);
      case TaskStatus.Handled(var error, _) ->
          unchanged(held.with(new TaskStatus.Failed(error)), Phase.SETTLED);
      case TaskStatus.Rejected(var result, _) when release != Release.NONE ->
          unchanged(held.with(new TaskStatus.Done(result)), Phase.SETTLED);
      case TaskStatus.Failed _ when release == Release.FAILED -> unchanged(held, Phase.READY);
      case TaskStatus.Failed _ when release == Release.CHILD -> {
        var run = ChildRef.of(held).orElseThrow().run();
        var waiting = held.with(new TaskStatus.Child(run, Optional.empty()));
        yield new RestoredTask(waiting, Phase.SLEEPING, true);
      }
      case TaskStatus.Done _,
          TaskStatus.Cancelled _,
          TaskStatus.Interrupted _,
          TaskStatus.Rejected _,
          TaskStatus.Failed _ ->
          unchanged(held, Phase.SETTLED);
    };
  }

  static boolean isHandled(@Nullable TaskRecord known) {
    return known != null && known.status() instanceof TaskStatus.Handled;
  }

  private static RestoredTask unchanged(TaskRecord record, Phase phase) {
    return new RestoredTask(record, phase, false);
  }
}
