package dev.superstep.run.query;

import dev.superstep.checkpoint.StoredCheckpoint;
import dev.superstep.checkpoint.row.Checkpoints;
import dev.superstep.engine.checkpoint.CheckpointKind;
import dev.superstep.engine.checkpoint.TaskRecord;
import dev.superstep.engine.checkpoint.TaskRecord.TaskStatus;
import dev.superstep.engine.run.TaskKey;
import dev.superstep.run.HeldStop;
import dev.superstep.run.TaskEnd;
import dev.superstep.run.TaskView.Status;
import dev.superstep.run.store.ChildLinks;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.springframework.stereotype.Component;

/// Reads how tasks have ended: from the records that each commit stores of all its tasks.
@Component
class TaskEnds {
  private static final String WAITING = "run.waiting";
  private static final Set<String> STOPS = Set.of("run.interrupted", WAITING, "run.failed");

  private final Checkpoints checkpoints;
  private final ChildLinks links;

  TaskEnds(Checkpoints checkpoints, ChildLinks links) {
    this.checkpoints = checkpoints;
    this.links = links;
  }

  /// All tasks of the superstep that a checkpoint has committed.
  List<TaskEnd> of(String run, StoredCheckpoint stored) {
    var records = stored.delta().tasks();
    if (stored.stamp().kind() == CheckpointKind.HELD || records.isEmpty()) {
      return List.of();
    }
    var children = links.lastOf(run, stored.stamp().superstep());
    return records.stream().flatMap(it -> end(it, children).stream()).toList();
  }

  private static Optional<TaskEnd> end(TaskRecord record, Map<TaskKey, String> children) {
    var child = Optional.ofNullable(children.get(record.key()));
    return switch (record.status()) {
      case TaskStatus.Done _ -> {
        var failure = record.runFailure();
        var status = failure.isPresent() ? Status.FAILED : Status.SUCCEEDED;
        yield Optional.of(new TaskEnd(record.key(), status, record.changes(), failure, child));
      }
      case TaskStatus.Handled(var error, _) ->
          Optional.of(
              new TaskEnd(
                  record.key(), Status.HANDLED, record.changes(), Optional.of(error), child));
      case TaskStatus.Cancelled _ ->
          Optional.of(
              new TaskEnd(record.key(), Status.CANCELLED, List.of(), Optional.empty(), child));
      case TaskStatus.Failed _, TaskStatus.Rejected _, TaskStatus.Unfinished _ -> Optional.empty();
    };
  }

  /// The stops in the superstep behind `superstep`, oldest first.
  List<HeldStop> stops(String run, int superstep) {
    var held = checkpoints.holdingWithEvents(run, superstep);
    if (held.isEmpty()) {
      return List.of();
    }
    var children = links.lastOf(run, superstep + 1);
    var stops = new ArrayList<HeldStop>();
    var known = new LinkedHashMap<TaskKey, TaskRecord>();
    var reported = new HashSet<TaskKey>();
    for (var checkpoint : held) {
      checkpoint.stored().delta().tasks().forEach(it -> known.put(it.key(), it));
      var events = checkpoint.events();
      for (int i = 0; i < events.size(); i++) {
        var type = events.get(i).type();
        if (STOPS.contains(type)) {
          var ended =
              known.values().stream()
                  .filter(it -> !reported.contains(it.key()))
                  .flatMap(it -> end(it, children).stream())
                  .toList();
          ended.forEach(it -> reported.add(it.task()));
          var place = new EndEvent(checkpoint.firstEvent() + i, !type.equals(WAITING));
          stops.add(stop(place, checkpoint.stored(), ended, known));
        }
      }
    }
    return stops;
  }

  private record EndEvent(long seq, boolean rests) {}

  private static HeldStop stop(
      EndEvent place,
      StoredCheckpoint stored,
      List<TaskEnd> ended,
      Map<TaskKey, TaskRecord> known) {
    var asking = new HashSet<TaskKey>();
    var questions = new HashSet<String>();
    for (var record : known.values()) {
      switch (record.status()) {
        case TaskStatus.Interrupted(var interrupt) -> {
          asking.add(record.key());
          questions.add(interrupt.id());
        }
        case TaskStatus.Child _ -> asking.add(record.key());
        case TaskStatus.Waiting _,
            TaskStatus.AtWorker _,
            TaskStatus.Open _,
            TaskStatus.Ended _ -> {}
      }
    }
    return new HeldStop(
        place.seq(), place.rests(), stored.stamp().number(), ended, asking, questions);
  }
}
