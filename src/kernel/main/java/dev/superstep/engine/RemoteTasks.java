package dev.superstep.engine;

import dev.superstep.engine.node.NodeRunner;
import dev.superstep.engine.node.Slicing;
import dev.superstep.engine.run.RunBudget;
import dev.superstep.engine.run.TaskKey;
import dev.superstep.graph.Limits;
import dev.superstep.graph.NodeId;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Sends tasks of a wide superstep to other replicas and collects their outcomes.
///
/// Only tasks that call out are sent: sending one costs more than a pure node does. Tasks that
/// already have a record, because they asked, slept or failed before, stay here. None is sent while
/// some wait for a turn: the next ones would wait as well.
final class RemoteTasks {
  private static final Duration FIRST_PAUSE = Duration.ofMillis(20);
  private static final Duration LONGEST_PAUSE = Duration.ofMillis(250);

  private final Map<TaskKey, OpenTask> remote = new LinkedHashMap<>();
  private Slicing.@Nullable Slices slices;
  private Duration pause = FIRST_PAUSE;
  private Instant pollAt = Instant.MAX;

  private RemoteTasks() {}

  static RemoteTasks of(
      SuperstepContext superstepContext,
      DriverContext driver,
      List<OpenTask> openTasks,
      FanOuts fanOuts) {
    var remoteTasks = new RemoteTasks();
    if (openTasks.size() >= driver.ports().slicing().threshold()
        && openTasks.stream().noneMatch(OpenTask::isParked)) {
      remoteTasks.send(superstepContext, driver, openTasks, fanOuts);
    }
    return remoteTasks;
  }

  private void send(
      SuperstepContext superstepContext,
      DriverContext driver,
      List<OpenTask> openTasks,
      FanOuts fanOuts) {
    var candidates =
        withdrawable(
            openTasks.stream().filter(it -> isSliceable(superstepContext, it)).toList(), fanOuts);
    var slicing = driver.ports().slicing();
    if (candidates.size() < slicing.threshold()) {
      return;
    }
    var sliceable =
        candidates.stream().map(it -> new Slicing.SlicedTask(it.index(), it.task().key())).toList();
    var wide =
        new Slicing.Wide(
            superstepContext.at().number(),
            superstepContext.superstep(),
            sliceable,
            bound(superstepContext, candidates));
    driver.ports().observer().spread(superstepContext.run().id());
    slices = slicing.cut(driver.lease(), wide).orElse(null);
    if (slices != null) {
      candidates.forEach(this::ship);
      pollAt = driver.now().plus(pause);
    }
  }

  /// Outcomes come when a slice has ended, and slices are withdrawn all together: dispatches are
  /// sent if only failures can decide them, and nothing else is.
  private static List<OpenTask> withdrawable(List<OpenTask> openTasks, FanOuts fanOuts) {
    if (fanOuts.isNone()) {
      return openTasks;
    }
    var first = openTasks.isEmpty() ? null : fanOuts.of(openTasks.getFirst());
    return first != null
            && first.needed() == 0
            && openTasks.stream().allMatch(it -> fanOuts.of(it) == first)
        ? openTasks
        : openTasks.stream().filter(it -> fanOuts.of(it) == null).toList();
  }

  private static boolean isSliceable(SuperstepContext superstepContext, OpenTask openTask) {
    return openTask.phase() == OpenTask.Phase.READY
        && openTask.record() == null
        && !openTask.task().isEngines()
        && isSliceable(
            superstepContext.program().runner(openTask.task().key().node()),
            superstepContext.limits());
  }

  /// Tasks that draw on a budget stay together on the driver's replica.
  private static boolean isSliceable(NodeRunner runner, Limits limits) {
    return !runner.pure() && !runner.keepsParts() && !(runner.spends() && RunBudget.isIn(limits));
  }

  /// The narrowest bound that holds over all replicas, if there is one that can be reached (E12).
  private static Optional<Integer> bound(
      SuperstepContext superstepContext, List<OpenTask> openTasks) {
    var graph = superstepContext.program().graph();
    var nodes = new HashMap<NodeId, Integer>();
    var emitters = new HashMap<TaskKey, Integer>(0);
    var bounds = new HashMap<TaskKey, Integer>(0);
    for (var openTask : openTasks) {
      nodes.merge(openTask.task().key().node(), 1, Integer::sum);
      var emitter = FanOuts.emitter(openTask.task());
      if (emitter != null) {
        emitters.merge(emitter, 1, Integer::sum);
        bounds.computeIfAbsent(emitter, _ -> FanOuts.concurrencyMax(graph, openTask.task()));
      }
    }
    int bound = superstepContext.limits().concurrencyMax().orElse(Integer.MAX_VALUE);
    for (var count : nodes.entrySet()) {
      int max = graph.node(count.getKey()).policy().maxConcurrency();
      bound = narrower(bound, max, count.getValue());
    }
    for (var count : emitters.entrySet()) {
      bound = narrower(bound, bounds.getOrDefault(count.getKey(), 0), count.getValue());
    }
    return bound == Integer.MAX_VALUE ? Optional.empty() : Optional.of(bound);
  }

  private static int narrower(int bound, int max, int tasks) {
    return max > 0 && max < tasks ? Math.min(bound, max) : bound;
  }

  private void ship(OpenTask openTask) {
    openTask.ship();
    remote.put(openTask.task().key(), openTask);
  }

  /// Whether no task is remote.
  boolean isBack() {
    return slices == null;
  }

  /// When to poll next, while a task is remote.
  Optional<Instant> pollAt() {
    return isBack() ? Optional.empty() : Optional.of(pollAt);
  }

  /// The tasks whose outcomes have arrived. If a slice was given up and comes back without some of
  /// its outcomes, its tasks are ready to run here.
  List<OpenTask> receive(Instant now) {
    var open = slices;
    if (open == null || pollAt.isAfter(now)) {
      return List.of();
    }
    var arrivals = open.look();
    var back = new ArrayList<OpenTask>();
    for (var record : arrivals.records()) {
      var openTask = remote.remove(record.key());
      if (openTask != null) {
        openTask.arrive(record);
        back.add(openTask);
      }
    }
    if (arrivals.open() == 0) {
      remote.values().forEach(OpenTask::recall);
      back.addAll(remote.values());
      withdraw();
    }
    pause = back.isEmpty() ? longer(pause) : FIRST_PAUSE;
    pollAt = now.plus(pause);
    return back;
  }

  private static Duration longer(Duration pause) {
    var longer = pause.multipliedBy(3).dividedBy(2);
    return longer.compareTo(LONGEST_PAUSE) < 0 ? longer : LONGEST_PAUSE;
  }

  /// A task that is remote is not needed any more.
  void forget(OpenTask openTask) {
    remote.remove(openTask.task().key());
    if (remote.isEmpty()) {
      withdraw();
    }
  }

  /// Withdraws the tasks that are still remote.
  void withdraw() {
    var open = slices;
    if (open != null) {
      slices = null;
      remote.clear();
      open.withdraw();
    }
  }
}
