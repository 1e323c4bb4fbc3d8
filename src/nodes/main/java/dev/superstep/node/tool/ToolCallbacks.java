package dev.superstep.node.tool;

import dev.superstep.definition.Codes;
import dev.superstep.engine.node.Outcome;
import dev.superstep.graph.Pointer;
import dev.superstep.node.CallbackSettings;
import dev.superstep.node.CallbackWait;
import dev.superstep.node.NodeConfig;
import dev.superstep.state.value.ListValue;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.state.value.Value;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/// The calls of a task whose results come from outside, behind the replies of their tools (E51):
/// one after the other, for a task waits for one callback at a time.
record ToolCallbacks(Set<String> tools, CallbackWait outside) {

  static Optional<ToolCallbacks> of(NodeConfig config, Tools all, CallbackSettings settings) {
    return CallbackWait.of(config, settings).map(it -> new ToolCallbacks(names(config, all), it));
  }

  private static Set<String> names(NodeConfig config, Tools all) {
    var names = new HashSet<String>();
    if (config.find(CallbackWait.KEY).orElse(Value.NULL) instanceof ObjectValue written
        && written.get("tools") instanceof ListValue list) {
      for (int i = 0; i < list.size(); i++) {
        if (list.get(i) instanceof Value.Text(var name)) {
          names.add(name);
          if (all.find(name).filter(ToolCallbacks::isTold).isEmpty()) {
            config.refuse(
                Pointer.child(CallbackWait.KEY + "/tools", i),
                Codes.NOT_APPLICABLE,
                "'%s' is no tool that is called over HTTP, which alone is told where to answer"
                    .formatted(name));
          }
        }
      }
    }
    return Set.copyOf(names);
  }

  /// Whether its service hears where to send the result.
  private static boolean isTold(Tool tool) {
    return tool.description().source().equals("http");
  }

  boolean concern(ToolCallPlan.Run run) {
    return tools.contains(run.call().name());
  }

  /// Takes in what has come for the call that has waited, if one has. It needs no token any more.
  void take(ToolCallPlanner planner, List<ToolCall> calls, ToolCallRunner runner)
      throws InterruptedException {
    var end = planner.task().callbackEnd();
    if (end.isEmpty()) {
      return;
    }
    for (var call : calls) {
      if (planner.asAsked().plan(call) instanceof ToolCallPlan.Run run
          && planner.toolCallJournal().isAwaiting(run.call())) {
        runner.end(planner, run, end.get());
        return;
      }
    }
  }

  /// Makes the next calls, until one waits.
  Optional<Outcome> next(ToolCallPlanner planner, List<ToolCall> calls, ToolCallRunner runner)
      throws InterruptedException {
    for (var call : calls) {
      if (planner.plan(call) instanceof ToolCallPlan.Run run && concern(run)) {
        var open = runner.submit(planner, run, outside);
        if (open.isPresent()) {
          return open.map(Outcome.Callback::new);
        }
      }
    }
    return Optional.empty();
  }
}
