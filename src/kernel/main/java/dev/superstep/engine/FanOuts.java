package dev.superstep.engine;

import dev.superstep.engine.run.Task;
import dev.superstep.engine.run.TaskKey;
import dev.superstep.graph.DispatchPolicy;
import dev.superstep.graph.Graph;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// The dispatches of a superstep whose policies can end them early, by the task that has sent them.
final class FanOuts {
  static final FanOuts NONE = new FanOuts(Map.of());

  private final Map<TaskKey, FanOutGroup> byEmitter;

  private FanOuts(Map<TaskKey, FanOutGroup> byEmitter) {
    this.byEmitter = byEmitter;
  }

  static FanOuts of(Graph graph, List<OpenTask> openTasks) {
    var byEmitter = new LinkedHashMap<TaskKey, FanOutGroup>(0);
    for (var openTask : openTasks) {
      var policy = policy(graph, openTask.task());
      if (policy != null && policy.decides()) {
        byEmitter
            .computeIfAbsent(emitter(openTask.task()), _ -> new FanOutGroup(policy))
            .add(openTask);
      }
    }
    return byEmitter.isEmpty() ? NONE : new FanOuts(byEmitter);
  }

  /// The policy under which a task was dispatched; null: under none.
  static @Nullable DispatchPolicy policy(Graph graph, Task task) {
    var emitter = emitter(task);
    if (emitter == null) {
      return null;
    }
    var given = task.dispatch() == null ? null : task.dispatch().policy();
    return given != null
        ? given
        : graph.find(emitter.node()).flatMap(it -> it.routing().dispatches()).orElse(null);
  }

  /// How many dispatches of the task's policy run at a time; 0: no bound.
  static int concurrencyMax(Graph graph, Task task) {
    var policy = policy(graph, task);
    return policy == null ? 0 : policy.maxConcurrency();
  }

  static @Nullable TaskKey emitter(Task task) {
    return task.dispatch() == null ? null : task.dispatch().by();
  }

  boolean isNone() {
    return byEmitter.isEmpty();
  }

  Collection<FanOutGroup> all() {
    return byEmitter.values();
  }

  /// What the task belongs to; null: nothing here.
  @Nullable FanOutGroup of(OpenTask openTask) {
    var emitter = isNone() ? null : emitter(openTask.task());
    return emitter == null ? null : byEmitter.get(emitter);
  }
}
