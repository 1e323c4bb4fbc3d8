package dev.superstep.run.query;

import dev.superstep.checkpoint.row.Checkpoints;
import dev.superstep.compute.RequestWork;
import dev.superstep.engine.checkpoint.TaskRecord;
import dev.superstep.engine.run.TaskError;
import dev.superstep.engine.run.TaskKey;
import dev.superstep.graph.NodeId;
import dev.superstep.problem.Cursor;
import dev.superstep.run.NodeCounts;
import dev.superstep.run.NodeCounts.Failed;
import dev.superstep.run.NodeCounts.NodeTasks;
import dev.superstep.run.RunSummary;
import dev.superstep.run.TaskView;
import dev.superstep.run.TaskView.Status;
import dev.superstep.run.TaskView.TaskTimes;
import java.time.Duration;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;

/// Counts the tasks of a run by node. Supersteps are read newest first and as few at a time as a
/// list of tasks reads; an answer ends with the superstep that makes it long enough.
@Component
class NodeTally {
  private static final int BATCH = 20;
  private static final int SUPERSTEPS_MAX = 2_000;
  private static final int TASKS_MAX = 20_000;

  private final Checkpoints checkpoints;
  private final OpenSuperstep open;

  NodeTally(Checkpoints checkpoints, OpenSuperstep open) {
    this.checkpoints = checkpoints;
    this.open = open;
  }

  /// @param after only supersteps behind this one; -1: all
  NodeCounts of(RunSummary run, int after, Optional<String> cursor) {
    var committed = new Sums();
    var next = add(run, after, cursor, committed);
    var now = new Sums();
    if (cursor.isEmpty()) {
      open.tasks(run).forEach(now::add);
    }
    return new NodeCounts(run.standing().superstep(), committed.all(), now.all(), next);
  }

  private Optional<String> add(RunSummary run, int after, Optional<String> cursor, Sums into) {
    int below = cursor.map(it -> Cursor.read(it, 1).integer(0)).orElse(Integer.MAX_VALUE);
    for (int seen = 0; seen < SUPERSTEPS_MAX && into.tasks < TASKS_MAX; seen += BATCH) {
      try (var _ = RequestWork.current().piece()) {
        var batch = checkpoints.committed(run.id(), below, BATCH);
        for (var checkpoint : batch) {
          below = checkpoint.stamp().superstep();
          if (below <= after) {
            return Optional.empty();
          }
          checkpoint.delta().tasks().forEach(it -> into.add(it, run));
        }
        if (batch.isEmpty()) {
          return Optional.empty();
        }
      }
    }
    return Optional.of(Cursor.write(List.of(Integer.toString(below))));
  }

  /// Sums in the order in which nodes were met.
  private static final class Sums {
    private final Map<NodeId, Sum> nodes = new LinkedHashMap<>();
    private int tasks;

    void add(TaskRecord task, RunSummary run) {
      var times = TaskViews.times(task);
      of(task.key())
          .add(
              task.key(),
              TaskViews.status(task, run.status()),
              task.attempts(),
              times,
              TaskViews.error(task));
    }

    void add(TaskView task) {
      of(task.key())
          .add(task.key(), task.status(), task.calls().attempts(), task.times(), task.error());
    }

    private Sum of(TaskKey key) {
      tasks++;
      return nodes.computeIfAbsent(key.node(), _ -> new Sum(key.superstep()));
    }

    List<NodeTasks> all() {
      return nodes.entrySet().stream().map(it -> it.getValue().of(it.getKey())).toList();
    }
  }

  private static final class Sum {
    private final int superstep;
    private final Map<Status, Integer> statuses = new EnumMap<>(Status.class);
    private final Map<Status, Integer> newest = new EnumMap<>(Status.class);
    private int retried;
    private Duration busy = Duration.ZERO;
    private Duration longest = Duration.ZERO;
    private @Nullable Failed failed;

    Sum(int superstep) {
      this.superstep = superstep;
    }

    void add(TaskKey key, Status status, int attempts, TaskTimes times, Optional<TaskError> error) {
      statuses.merge(status, 1, Integer::sum);
      if (key.superstep() == superstep) {
        newest.merge(status, 1, Integer::sum);
      }
      retried += attempts > 1 ? 1 : 0;
      var took = took(times);
      busy = busy.plus(took);
      longest = took.compareTo(longest) > 0 ? took : longest;
      if (failed == null) {
        failed = error.map(it -> new Failed(key.toString(), it.code())).orElse(null);
      }
    }

    private static Duration took(TaskTimes times) {
      if (times.startedAt().isEmpty() || times.finishedAt().isEmpty()) {
        return Duration.ZERO;
      }
      var took = Duration.between(times.startedAt().get(), times.finishedAt().get());
      return took.isNegative() ? Duration.ZERO : took;
    }

    NodeTasks of(NodeId node) {
      return new NodeTasks(
          node, superstep, statuses, newest, retried, busy, longest, Optional.ofNullable(failed));
    }
  }
}
