package dev.superstep.node.tool;

import dev.superstep.engine.NodeCall;
import dev.superstep.graph.Condition;

/// Which calls a person has to approve first.
sealed interface Approval {

  record Never() implements Approval {}

  record Always() implements Approval {}

  /// @param condition over the call as `input` `{id, name, arguments}`
  record When(Condition condition) implements Approval {}

  default boolean concerns(Call call, NodeCall task) {
    return switch (this) {
      case Never _ -> false;
      case Always _ -> true;
      case When(var condition) -> condition.test(task.with("input", call.json()));
    };
  }

  default boolean mayAsk() {
    return !(this instanceof Never);
  }
}
