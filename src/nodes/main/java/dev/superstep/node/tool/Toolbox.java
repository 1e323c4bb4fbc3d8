package dev.superstep.node.tool;

import dev.superstep.engine.node.NodeCall;
import dev.superstep.engine.run.TaskError;
import dev.superstep.engine.run.TaskFailedException;
import dev.superstep.expression.Expression;
import dev.superstep.json.InvalidSchemaException;
import dev.superstep.json.KeptSchemas;
import dev.superstep.node.tool.ToolCallJournal.JournaledResult;
import dev.superstep.state.ValueCheck;
import dev.superstep.state.value.ListValue;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.state.value.Value;
import dev.superstep.tenant.Tenant;
import java.util.List;
import java.util.Optional;

/// The tools that a node may run.
///
/// @param names empty: all
record Toolbox(
    Tools tools,
    KeptSchemas schemas,
    Optional<Expression> names,
    ToolPolicies policies,
    ToolPins pins) {
  /// The code of calls that are too many.
  static final String CALL_LIMIT = "tool_call_limit";

  /// The code of calls whose arguments the operator does not accept.
  static final String REFUSED = "tool_call_refused";

  /// A call that can be made, or the result that the model gets instead.
  sealed interface Match {
    record FoundTool(Tool tool, ObjectValue arguments, ToolPolicy policy) implements Match {}

    /// @param result for the model
    record Mistake(JournaledResult result) implements Match {
      Mistake(String message) {
        this(new JournaledResult(message, true));
      }

      /// A call that the operator does not allow.
      static Mistake refused(String code, String message) {
        return new Mistake(JournaledResult.refused(code, message));
      }
    }
  }

  /// A box of nothing but these tools, which are no server's.
  Toolbox with(List<Tool> others) {
    return new Toolbox(new Tools(List.of()).with(others), schemas, names, policies, ToolPins.NONE);
  }

  Toolbox with(ToolPins others) {
    return new Toolbox(tools, schemas, names, policies, others);
  }

  Match match(NodeCall task, ToolCall toolCall) {
    if (toolCall.position() >= policies.callsMax()) {
      return Match.Mistake.refused(
          CALL_LIMIT,
          "Only the first %d calls of a message are carried out.".formatted(policies.callsMax()));
    }
    if (tools.isTaken(toolCall.name())) {
      return Match.Mistake.refused(ToolNames.TAKEN, ToolNames.taken(toolCall.name()));
    }
    var tool = tools.find(toolCall.name()).filter(_ -> mayRun(task, toolCall.name()));
    if (tool.isEmpty()) {
      return new Match.Mistake(
          "There is no tool '%s'. There are: %s."
              .formatted(toolCall.name(), String.join(", ", known(task))));
    }
    var policy = policy(toolCall.name());
    if (!policy.permits(task.run().graph())) {
      return Match.Mistake.refused(
          ToolPermits.NOT_ALLOWED,
          "Graph '%s' may not use the tool '%s'."
              .formatted(Tenant.shown(task.run().graph()), toolCall.name()));
    }
    return checked(task, toolCall, tool.get(), policy);
  }

  /// The tools of a graph are its own affair.
  private ToolPolicy policy(String tool) {
    return tools.ofServer(tool).isPresent() ? policies.of(tool) : ToolPolicy.NONE;
  }

  private Match checked(NodeCall task, ToolCall toolCall, Tool tool, ToolPolicy policy) {
    if (!(toolCall.arguments() instanceof ObjectValue arguments)) {
      return new Match.Mistake("The arguments are no JSON object.");
    }
    var violations = check(tool).check(arguments);
    if (!violations.isEmpty()) {
      return new Match.Mistake("The arguments are wrong: " + ValueCheck.inOneLine(violations));
    }
    var most = policy.perMessageMax();
    if (most.isPresent() && toolCall.ordinal() > most.getAsInt()) {
      return Match.Mistake.refused(CALL_LIMIT, tooManyOfMessage(toolCall, most.getAsInt()));
    }
    return policy.accepts(toolCall, task)
        ? new Match.FoundTool(tool, arguments, policy)
        : Match.Mistake.refused(
            REFUSED, "'%s' must not be called with these arguments.".formatted(toolCall.name()));
  }

  static String tooManyOfMessage(ToolCall toolCall, int most) {
    return "'%s' may be called %d times in a message.".formatted(toolCall.name(), most);
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
    return allowed(task).orElseGet(tools::names).stream()
        .filter(it -> policy(it).permits(task.run().graph()))
        .toList();
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
