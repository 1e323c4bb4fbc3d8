package dev.superstep.node.llm;

import dev.superstep.engine.node.NodeCall;
import dev.superstep.engine.task.TaskFailedException;
import dev.superstep.expression.Expression;
import dev.superstep.model.Model;
import dev.superstep.model.ModelAnswer;
import dev.superstep.model.ModelException;
import dev.superstep.model.ModelRequest;
import dev.superstep.model.ModelRequest.ToolOffer;
import dev.superstep.model.Models;
import dev.superstep.node.tool.Tool;
import dev.superstep.node.tool.ToolNames;
import dev.superstep.node.tool.ToolPermits;
import dev.superstep.node.tool.Tools;
import dev.superstep.state.value.ListValue;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.state.value.Value;
import java.util.List;
import java.util.Optional;

/// Chooses the model of a request and the tools that it may use.
///
/// @param model name of the model; empty: the server's default
/// @param tools names; empty: what the state's `tools` names
record RequestOptions(
    Sources sources,
    Optional<Expression> model,
    Optional<Expression> tools,
    Optional<Expression> options,
    Streaming streaming) {

  record Sources(Models models, Tools tools, ToolPermits permits, ModelCalls calls) {}

  /// Whether the provider is asked to send the answer piece by piece.
  enum Streaming {
    ALWAYS,
    NEVER,
    /// Streams if the run has subscribers when the call begins.
    WATCHED
  }

  ModelAnswer ask(NodeCall call, Model model, ModelRequest request)
      throws ModelException, InterruptedException {
    return sources.calls().ask(call, model, request);
  }

  Model model(NodeCall call) {
    var models = sources.models();
    if (model.isEmpty()) {
      return models
          .standard()
          .orElseThrow(() ->
              TaskFailedException.permanent(
                  "unknown_model",
                  "the node names no model, and this server has no default among "
                      + models.names()));
    }
    var name = PromptBuilder.text(model.get().evaluate(call));
    return models
        .find(name)
        .orElseThrow(() ->
            TaskFailedException.permanent(
                "unknown_model",
                "this server has no model '%s'; it has %s".formatted(name, models.names())));
  }

  List<ToolOffer> tools(NodeCall call, AgentFields fields) {
    var names = tools.map(it -> names(it.evaluate(call))).orElseGet(fields::tools);
    return names.stream().map(it -> offer(it, call.run().graph())).toList();
  }

  private static List<String> names(Value value) {
    return switch (value) {
      case Value.Null _ -> List.of();
      case ListValue list -> list.stream().map(PromptBuilder::text).toList();
      case Value other ->
          throw TaskFailedException.permanent(
              "unknown_tool", "/config/tools is " + other.typeName());
    };
  }

  private ToolOffer offer(String name, String graph) {
    if (sources.tools().isTaken(name)) {
      throw TaskFailedException.permanent(ToolNames.TAKEN, ToolNames.taken(name));
    }
    sources
        .permits()
        .refusal(sources.tools(), name, graph)
        .ifPresent(it -> {
          throw TaskFailedException.permanent(ToolPermits.NOT_ALLOWED, it);
        });
    return sources
        .tools()
        .find(name)
        .map(Tool::description)
        .map(it -> new ToolOffer(it.name(), it.text(), it.inputSchema()))
        .orElseThrow(() ->
            TaskFailedException.permanent(
                "unknown_tool", "this server has no tool '%s'".formatted(name)));
  }

  ObjectValue options(NodeCall call) {
    return switch (options.map(it -> it.evaluate(call)).orElse(ObjectValue.empty())) {
      case ObjectValue object -> object;
      case Value.Null _ -> ObjectValue.empty();
      case Value other ->
          throw TaskFailedException.permanent(
              "bad_model_options", "/config/options is " + other.typeName());
    };
  }
}
