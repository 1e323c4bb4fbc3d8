package dev.superstep.engine;

import dev.superstep.graph.NodeId;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Decides which ready task may start: bounded by its node's `max_concurrency` and the run's (E12).
/// A bound delays tasks, in task order; it never drops one.
final class Admission {
  /// Up to this many permits, every child's end wakes the parent.
  private static final int FEW = 8;

  private final int runMax;
  private final List<OpenTask> all;
  private final Map<NodeId, NodeQueue> queues = new LinkedHashMap<>();

  /// Tasks per node; empty until first needed.
  private final Map<NodeId, Integer> tasks = new HashMap<>();

  private int running;
  private int lent;
  private int ready;

  /// @param all tasks of the superstep
  Admission(int runMax, List<OpenTask> all) {
    this.runMax = runMax;
    this.all = all;
  }

  void ready(OpenTask openTask) {
    queueOf(openTask).waiting.add(openTask);
    ready++;
  }

  /// The next task that may start now; it counts as running from here on.
  Optional<OpenTask> admit() {
    if (ready == 0 || running + lent >= runMax) {
      return Optional.empty();
    }
    for (var queue : queues.values()) {
      if (queue.open()) {
        ready--;
        running++;
        queue.taken++;
        return Optional.of(queue.waiting.remove());
      }
    }
    return Optional.empty();
  }

  void ended(OpenTask openTask) {
    running--;
    queueOf(openTask).taken--;
  }

  /// The attempt has ended, and its permit passes to the run that the task has begun (E41).
  void transferToChild(OpenTask openTask) {
    running--;
    lent++;
  }

  /// Restores a task whose permit was lent to a child before the claim.
  void restored(OpenTask openTask) {
    lent++;
    queueOf(openTask).taken++;
  }

  /// The child has ended: its task is the first to get the permit back.
  void returnFromChild(OpenTask openTask) {
    lent--;
    var queue = queueOf(openTask);
    queue.taken--;
    queue.waiting.addFirst(openTask);
    ready++;
  }

  /// Whether nothing runs, and all ready tasks wait for a lent permit.
  boolean idle() {
    return running == 0 && (ready == 0 || lent > 0);
  }

  /// How many children of the node may still move when one's end wakes the parent: none, unless
  /// other tasks wait for permits. A few permits are refilled one by one, many by halves.
  int wakesBelow(OpenTask openTask) {
    int permits = Math.min(runMax, max(openTask));
    if (all.size() <= permits || (all.size() <= runMax && tasks(openTask) <= permits)) {
      return 0;
    }
    return permits <= FEW ? all.size() : permits / 2;
  }

  /// Counted once, because each task of a wide superstep needs it.
  private int tasks(OpenTask openTask) {
    if (tasks.isEmpty()) {
      all.forEach(it -> tasks.merge(it.task().key().node(), 1, Integer::sum));
    }
    return tasks.getOrDefault(openTask.task().key().node(), 0);
  }

  private static int max(OpenTask openTask) {
    int max = openTask.task().node().policy().maxConcurrency();
    return max == 0 ? Integer.MAX_VALUE : max;
  }

  private NodeQueue queueOf(OpenTask openTask) {
    return queues.computeIfAbsent(
        openTask.task().key().node(),
        _ -> new NodeQueue(openTask.task().node().policy().maxConcurrency()));
  }

  private static final class NodeQueue {
    private final ArrayDeque<OpenTask> waiting = new ArrayDeque<>(1);
    private final int max;
    private int taken;

    NodeQueue(int max) {
      this.max = max;
    }

    boolean open() {
      return !waiting.isEmpty() && (max == 0 || taken < max);
    }
  }
}
