package dev.superstep.node.tool;

import dev.superstep.engine.NodeCall;
import dev.superstep.engine.TaskError;
import dev.superstep.engine.TaskFailedException;
import dev.superstep.expression.Expression;
import dev.superstep.json.InvalidSchemaException;
import dev.superstep.json.KeptSchemas;
import dev.superstep.state.ListValue;
import dev.superstep.state.ObjectValue;
import dev.superstep.state.Value;
import dev.superstep.state.ValueCheck;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/// The tools that a node may run.
///
/// @param names empty: all
record Toolbox(Tools tools, KeptSchemas schemas, Optional<Expression> names) {
  private static final int PROBLEMS_MAX = 10;

  /// A call that can be made, or what the model has to be told instead.
  sealed interface Match {
    record Found(Tool tool, ObjectValue arguments) implements Match {}

    record Mistake(String message) implements Match {}
  }

  Match match(NodeCall task, Call call) {
    var tool = tools.find(call.name()).filter(_ -> mayRun(task, call.name()));
    if (tool.isEmpty()) {
      return new Match.Mistake(
          "There is no tool '%s'. There are: %s."
              .formatted(call.name(), String.join(", ", known(task))));
    }
    if (!(call.arguments() instanceof ObjectValue arguments)) {
      return new Match.Mistake("The arguments are no JSON object.");
    }
    var violations = check(tool.get()).check(arguments);
    return violations.isEmpty()
        ? new Match.Found(tool.get(), arguments)
        : new Match.Mistake(
            "The arguments are wrong: "
                + violations.stream()
                    .limit(PROBLEMS_MAX)
                    .map(it ->
                        "%s: %s"
                            .formatted(it.pointer().isEmpty() ? "/" : it.pointer(), it.message()))
                    .collect(Collectors.joining("; ")));
  }

  private ValueCheck check(Tool tool) {
    try {
      return schemas.compile(tool.description().inputSchema());
    } catch (InvalidSchemaException _) {
      return ValueCheck.NONE;
    }
  }

  private boolean mayRun(NodeCall task, String name) {
    return allowed(task).map(it -> it.contains(name)).orElse(true);
  }

  private List<String> known(NodeCall task) {
    return allowed(task).orElseGet(tools::names);
  }

  private Optional<List<String>> allowed(NodeCall task) {
    return names.map(it -> texts(it.evaluate(task)));
  }

  private static List<String> texts(Value value) {
    if (value instanceof ListValue list && list.stream().allMatch(Value.Text.class::isInstance)) {
      return list.stream().map(it -> ((Value.Text) it).value()).toList();
    }
    throw new TaskFailedException(
        TaskError.permanent("unknown_tool", "/config/tools must be a list of names"));
  }
}
