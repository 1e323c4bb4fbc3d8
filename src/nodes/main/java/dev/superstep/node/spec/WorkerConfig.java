package dev.superstep.node.spec;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Queues a task for a worker, a process of your own that claims tasks over HTTP, and waits for it
/// without holding anything. The time-out of the node counts from the claim.
public interface WorkerConfig {
  /// An earlier name of input.
  WorkerConfig arguments(Map<String, ?> value);

  /// An earlier name of input.
  WorkerConfig arguments(String value);

  /// The task ends when the outside answers, not when the worker does: `callback.url`,
  /// `callback.token` and `callback.deadline` are in `input`, the run waits once the worker is
  /// done, and `response` is the answer.
  WorkerConfig callback(Map<String, ?> value);

  /// How long a worker may be silent before another one gets the task. A duration: 1s (the least),
  /// 30s, 5m, 1h, 2d or ISO 8601; may be a template.
  WorkerConfig heartbeat(String value);

  /// What the worker gets; templates. Default: the dispatch input, else {}.
  WorkerConfig input(@Nullable Object value);

  /// An earlier name of heartbeat.
  WorkerConfig lease(String value);

  /// wait: without end; fail: after schedule_to_start.: wait, fail
  WorkerConfig onNoWorker(@Nullable Object value);

  /// A JSON Schema of what the worker gives.
  WorkerConfig outputSchema(Map<String, ?> value);

  /// A JSON Schema of what the worker gives.
  WorkerConfig outputSchema(boolean value);

  /// An earlier name of task_type.
  WorkerConfig queue(String value);

  /// The node result, as templates over `response`, what the worker gives. Default: the worker
  /// gives a node result.
  WorkerConfig result(Map<String, ?> value);

  /// The node result, as templates over `response`, what the worker gives. Default: the worker
  /// gives a node result.
  WorkerConfig result(String value);

  /// Within which a worker must claim the task; else it fails with node_timeout. A duration; may be
  /// a template. Default: it waits.
  WorkerConfig scheduleToStart(String value);

  /// What workers claim tasks by.
  WorkerConfig taskType(String value);
}
