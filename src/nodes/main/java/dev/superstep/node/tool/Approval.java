package dev.superstep.node.tool;

import dev.superstep.engine.node.NodeCall;
import dev.superstep.graph.Condition;

/// Decides which tool calls need a person's approval.
sealed interface Approval {

  record Never() implements Approval {}

  record Always() implements Approval {}

  /// @param condition over the call as `input` `{id, name, arguments}`
  record When(Condition condition) implements Approval {}

  default boolean concerns(ToolCall toolCall, NodeCall task) {
    return switch (this) {
      case Never _ -> false;
      case Always _ -> true;
      case When(var condition) -> condition.test(task.with("input", toolCall.json()));
    };
  }

  default boolean mayAsk() {
    return !(this instanceof Never);
  }
}
