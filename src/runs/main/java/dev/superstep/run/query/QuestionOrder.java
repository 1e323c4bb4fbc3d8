package dev.superstep.run.query;

import dev.superstep.checkpoint.StoredInterrupt;
import dev.superstep.checkpoint.row.Checkpoints;
import dev.superstep.engine.checkpoint.Pending;
import dev.superstep.engine.run.TaskKey;
import dev.superstep.run.store.RunFinder;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.springframework.stereotype.Component;

/// Sorts interrupts of a tree of runs in task order: that of the tasks of the run, and within a
/// task that of the tasks of its child run. It is the same while they are open and afterwards.
@Component
class QuestionOrder {
  private static final Pending NOTHING = new Pending(List.of(), Map.of(), false, 0);

  private final RunHeads heads;
  private final RunFinder runFinder;
  private final Checkpoints checkpoints;

  QuestionOrder(RunHeads heads, RunFinder runFinder, Checkpoints checkpoints) {
    this.heads = heads;
    this.runFinder = runFinder;
    this.checkpoints = checkpoints;
  }

  /// @param path from the run to the task that asks, its own task last
  private record Located(StoredInterrupt interrupt, List<StoredInterrupt.Step> path) {
    StoredInterrupt.Step at(int depth) {
      return path.get(depth);
    }
  }

  List<StoredInterrupt> sort(String run, List<StoredInterrupt> interrupts) {
    if (interrupts.size() < 2) {
      return interrupts;
    }
    var sorted = new ArrayList<StoredInterrupt>(interrupts.size());
    sort(interrupts.stream().map(it -> located(run, it)).toList(), 0, sorted);
    return sorted;
  }

  private static Located located(String run, StoredInterrupt interrupt) {
    var place = interrupt.place();
    var path = new ArrayList<>(place.path());
    path.add(new StoredInterrupt.Step(place.run(), place.graph(), place.task()));
    while (!path.getFirst().run().equals(run) && path.size() > 1) {
      path.removeFirst();
    }
    return new Located(interrupt, path);
  }

  /// @param located interrupts of one run and of its descendants
  private void sort(List<Located> located, int depth, List<StoredInterrupt> into) {
    var byTask = new LinkedHashMap<TaskKey, List<Located>>();
    for (var one : located) {
      byTask.computeIfAbsent(one.at(depth).task(), _ -> new ArrayList<>()).add(one);
    }
    var tasks = new ArrayList<>(byTask.keySet());
    if (tasks.size() > 1) {
      tasks.sort(order(located.getFirst().at(depth).run(), tasks));
    }
    for (var task : tasks) {
      var below = new ArrayList<Located>();
      for (var one : byTask.getOrDefault(task, List.of())) {
        if (one.path().size() == depth + 1) {
          into.add(one.interrupt());
        } else {
          below.add(one);
        }
      }
      if (!below.isEmpty()) {
        sort(below, depth + 1, into);
      }
    }
  }

  /// Interrupts of a graph that this server cannot compile keep the order in which they were asked.
  private Comparator<TaskKey> order(String run, List<TaskKey> tasks) {
    return heads
        .find(run)
        .flatMap(runFinder::findGraph)
        .map(graph -> TaskOrder.of(graph, pending(run, tasks)))
        .orElse((_, _) -> 0);
  }

  /// What their superstep was planned from, if dispatches are among it.
  private Pending pending(String run, List<TaskKey> tasks) {
    if (tasks.stream().allMatch(it -> it.dispatchId() == null)) {
      return NOTHING;
    }
    var before = Optional.of(tasks.getFirst().superstep() - 1);
    return checkpoints.list(run, Integer.MAX_VALUE, before, 1).stream()
        .findFirst()
        .flatMap(it -> checkpoints.pendingBefore(run, it.stamp().number() + 1))
        .orElse(NOTHING);
  }
}
