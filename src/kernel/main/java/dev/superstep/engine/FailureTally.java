package dev.superstep.engine;

import dev.superstep.engine.checkpoint.TaskRecord;
import dev.superstep.engine.checkpoint.TaskRecord.TaskStatus;
import dev.superstep.engine.run.Task;
import dev.superstep.engine.run.TaskKey;
import dev.superstep.graph.DispatchPolicy;
import dev.superstep.graph.Graph;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Counts how the dispatches of each policy have ended while a superstep is settled, so that
/// failures within it do not hold the superstep (E54).
final class FailureTally {
  static final FailureTally NONE = new FailureTally(Map.of());

  private final Map<TaskKey, DispatchCount> byEmitter;

  private static final class DispatchCount {
    private final DispatchPolicy policy;
    private int dispatches;
    private int succeeded;
    private int failed;

    DispatchCount(DispatchPolicy policy) {
      this.policy = policy;
    }

    boolean tolerates() {
      return failed <= policy.failuresMax(Math.max(dispatches, policy.minSucceeded()))
          && succeeded >= Math.min(policy.minSucceeded(), dispatches);
    }
  }

  private FailureTally(Map<TaskKey, DispatchCount> byEmitter) {
    this.byEmitter = byEmitter;
  }

  /// @param records of the tasks, each ended
  static FailureTally of(Graph graph, List<Task> tasks, List<TaskRecord> records) {
    var byEmitter = new HashMap<TaskKey, DispatchCount>(0);
    for (int i = 0; i < tasks.size(); i++) {
      var emitter = FanOuts.emitter(tasks.get(i));
      var policy = FanOuts.policy(graph, tasks.get(i));
      if (emitter != null && policy != null && policy.decides()) {
        add(byEmitter.computeIfAbsent(emitter, _ -> new DispatchCount(policy)), records.get(i));
      }
    }
    return byEmitter.isEmpty() ? NONE : new FailureTally(byEmitter);
  }

  private static void add(DispatchCount count, TaskRecord record) {
    count.dispatches++;
    switch (record.ended()) {
      case TaskStatus.Done _ -> count.succeeded++;
      case TaskStatus.Failed _, TaskStatus.Rejected _, TaskStatus.Handled _ -> count.failed++;
      case TaskStatus.Cancelled _ -> {}
    }
  }

  /// The result of the task cannot be used, which makes a failure of a success.
  void reject(Task task) {
    var count = count(task);
    if (count != null) {
      count.succeeded--;
      count.failed++;
    }
  }

  /// Whether its failure is within what the policy of its dispatch tolerates.
  boolean tolerates(Task task) {
    var count = count(task);
    return count != null && count.tolerates();
  }

  private @Nullable DispatchCount count(Task task) {
    var emitter = byEmitter.isEmpty() ? null : FanOuts.emitter(task);
    return emitter == null ? null : byEmitter.get(emitter);
  }
}
