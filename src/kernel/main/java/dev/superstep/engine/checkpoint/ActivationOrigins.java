package dev.superstep.engine.checkpoint;

import dev.superstep.engine.run.Activation;
import dev.superstep.engine.run.TaskKey;
import dev.superstep.graph.NodeId;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// The origins of pending activations (P11). A run without prompt context notes none.
///
/// @param to origins by activation; an activation that is missing gets the run's whole context
/// @param arrived in mode `chain`: edge id of a partly satisfied join → the tasks that have arrived
/// @param passed in mode `chain`: what each of the named tasks has passed on
public record ActivationOrigins(
    Map<To, List<ActivationOrigin>> to,
    Map<String, List<TaskKey>> arrived,
    Map<TaskKey, ContextDelta> passed) {
  public static final ActivationOrigins NONE = new ActivationOrigins(Map.of(), Map.of(), Map.of());

  /// What is activated: a node plainly, or by one dispatch.
  public record To(NodeId node, @Nullable String dispatchId) {
    public static To of(Activation activation) {
      return switch (activation) {
        case Activation.Plain(var node) -> new To(node, null);
        case Activation.Sent(var dispatch) -> new To(dispatch.node(), dispatch.id());
      };
    }
  }

  public ActivationOrigins {
    to = Map.copyOf(to);
    arrived = Map.copyOf(arrived);
    passed = Map.copyOf(passed);
  }

  public boolean isNone() {
    return to.isEmpty() && arrived.isEmpty();
  }

  /// The origins of a task; empty: none is known.
  public List<ActivationOrigin> to(TaskKey task) {
    return to.isEmpty()
        ? List.of()
        : to.getOrDefault(new To(task.node(), task.dispatchId()), List.of());
  }

  /// The tasks whose contexts are still needed, in no order.
  public List<TaskKey> sources() {
    var sources = new LinkedHashMap<TaskKey, Boolean>();
    for (var activationOrigins : to.values()) {
      for (var activationOrigin : activationOrigins) {
        if (activationOrigin.source() != null) {
          sources.put(activationOrigin.source(), true);
        }
      }
    }
    arrived.values().forEach(tasks -> tasks.forEach(it -> sources.put(it, true)));
    return List.copyOf(sources.keySet());
  }

  public ActivationOrigins with(Map<TaskKey, ContextDelta> passed) {
    return new ActivationOrigins(to, arrived, passed);
  }
}
