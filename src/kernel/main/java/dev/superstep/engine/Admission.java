package dev.superstep.engine;

import dev.superstep.engine.run.TaskKey;
import dev.superstep.graph.Graph;
import dev.superstep.graph.NodeId;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Decides which ready task may start: bounded by the `max_concurrency` of its node, of the
/// dispatches that it belongs to, and of the run (E12, E54). A bound delays tasks, in task order;
/// it never drops one. While some of a node's tasks are parked, because they wait for a turn,
/// further ones would only wait behind them: they do not start.
final class Admission {
  /// Up to this many permits, every end of a child or worker wakes the run.
  private static final int FEW = 8;

  /// How many parked tasks of a node keep its others from starting.
  private static final int PARKED_MAX = 16;

  private final int runMax;
  private final List<OpenTask> all;
  private final Graph graph;
  private final FanOuts fanOuts;
  private final LinePermits unbounded = new LinePermits(0);
  private final Map<NodeId, LinePermits> ofNodes = new HashMap<>(2);
  private final Map<TaskKey, LinePermits> ofDispatches = new HashMap<>(0);
  private final Map<AdmissionLine, NodeQueue> queues = new LinkedHashMap<>();

  /// Tasks per node; empty until first needed.
  private final Map<NodeId, Integer> tasks = new HashMap<>();

  private int running;
  private int lent;
  private int ready;

  /// @param emitter of dispatches with a bound of their own; null: of any others
  private record AdmissionLine(NodeId node, @Nullable TaskKey emitter) {}

  /// @param all tasks of the superstep
  Admission(int runMax, List<OpenTask> all, Graph graph, FanOuts fanOuts) {
    this.runMax = runMax;
    this.all = all;
    this.graph = graph;
    this.fanOuts = fanOuts;
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
        queue.take(1);
        return Optional.of(queue.remove());
      }
    }
    return Optional.empty();
  }

  void ended(OpenTask openTask) {
    running--;
    queueOf(openTask).take(-1);
  }

  /// A task that is ready is not needed any more.
  void withdraw(OpenTask openTask) {
    if (queueOf(openTask).remove(openTask)) {
      ready--;
    }
  }

  /// A task that sleeps, or is out, is not needed any more.
  void forget(OpenTask openTask) {
    if (openTask.isParked()) {
      queueOf(openTask).parked--;
    }
    if (openTask.isOut()) {
      lent--;
      queueOf(openTask).take(-1);
    }
  }

  /// The attempt has ended, and its task waits for a turn.
  void parked(OpenTask openTask) {
    queueOf(openTask).parked++;
  }

  /// The time of a parked task has come: it starts before those that have not begun.
  void resume(OpenTask openTask) {
    var queue = queueOf(openTask);
    queue.resume(openTask);
    ready++;
  }

  /// The attempt has ended, and its permit passes to the run that the task has begun, or to its
  /// worker (E41, E52).
  void lend(OpenTask openTask) {
    running--;
    lent++;
  }

  /// Restores a task whose permit was lent before the claim.
  void restored(OpenTask openTask) {
    lent++;
    queueOf(openTask).take(1);
  }

  /// What it was lent to has ended: the task is the first to get the permit back.
  void giveBack(OpenTask openTask) {
    lent--;
    var queue = queueOf(openTask);
    queue.take(-1);
    queue.waiting.addFirst(openTask);
    ready++;
  }

  /// Whether nothing runs, and all ready tasks wait for a lent permit, or behind parked ones.
  boolean idle() {
    return running == 0 && (ready == 0 || lent > 0 || isHeldUp());
  }

  private boolean isHeldUp() {
    for (var queue : queues.values()) {
      if (!queue.isEmpty() && !queue.isHeldUp()) {
        return false;
      }
    }
    return true;
  }

  /// How many children or workers of the node may still be out when one's end wakes the run: none,
  /// unless other tasks wait for permits. A few permits are refilled one by one, many by halves.
  int wakesBelow(OpenTask openTask) {
    return Math.max(wakesToRefill(openTask), wakesToDecide(openTask));
  }

  private int wakesToDecide(OpenTask openTask) {
    var fanOut = fanOuts.of(openTask);
    int needed = fanOut == null ? 0 : fanOut.needed(openTask.task().key().node());
    return needed == 0 ? 0 : tasks(openTask) - needed;
  }

  private int wakesToRefill(OpenTask openTask) {
    int permits = Math.min(runMax, queueOf(openTask).max());
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

  private NodeQueue queueOf(OpenTask openTask) {
    var task = openTask.task();
    int dispatchesMax = FanOuts.concurrencyMax(graph, task);
    var emitter = dispatchesMax > 0 ? FanOuts.emitter(task) : null;
    return queues.computeIfAbsent(
        new AdmissionLine(task.key().node(), emitter),
        _ ->
            new NodeQueue(
                ofNodes.computeIfAbsent(
                    task.key().node(), _ -> new LinePermits(task.node().policy().maxConcurrency())),
                emitter == null
                    ? unbounded
                    : ofDispatches.computeIfAbsent(emitter, _ -> new LinePermits(dispatchesMax))));
  }

  private static final class LinePermits {
    private final int max;
    private int taken;

    /// @param max 0: no bound
    LinePermits(int max) {
      this.max = max;
    }

    boolean left() {
      return max == 0 || taken < max;
    }
  }

  private static final class NodeQueue {
    /// Of most: never added to.
    private static final ArrayDeque<OpenTask> NONE = new ArrayDeque<>(1);

    private final ArrayDeque<OpenTask> waiting = new ArrayDeque<>(1);
    private ArrayDeque<OpenTask> resumed = NONE;
    private final LinePermits ofNode;
    private final LinePermits ofDispatches;
    private int parked;

    NodeQueue(LinePermits ofNode, LinePermits ofDispatches) {
      this.ofNode = ofNode;
      this.ofDispatches = ofDispatches;
    }

    boolean open() {
      return !isEmpty() && !isHeldUp() && ofNode.left() && ofDispatches.left();
    }

    void take(int permits) {
      ofNode.taken += permits;
      ofDispatches.taken += permits;
    }

    int max() {
      int node = ofNode.max == 0 ? Integer.MAX_VALUE : ofNode.max;
      return ofDispatches.max == 0 ? node : Math.min(node, ofDispatches.max);
    }

    boolean remove(OpenTask openTask) {
      return waiting.remove(openTask) || resumed.remove(openTask);
    }

    boolean isEmpty() {
      return waiting.isEmpty() && resumed.isEmpty();
    }

    /// Whether those that wait have to let parked ones pass.
    boolean isHeldUp() {
      return resumed.isEmpty() && parked >= PARKED_MAX;
    }

    void resume(OpenTask openTask) {
      parked--;
      if (resumed.isEmpty()) {
        resumed = new ArrayDeque<>(1);
      }
      resumed.add(openTask);
    }

    OpenTask remove() {
      return resumed.isEmpty() ? waiting.remove() : resumed.remove();
    }
  }
}
