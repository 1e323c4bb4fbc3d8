package dev.superstep.node.llm;

import dev.superstep.engine.node.NodeCall;
import dev.superstep.engine.run.TaskFailedException;
import dev.superstep.expression.Expression;
import dev.superstep.model.Model;
import dev.superstep.model.ModelAnswer;
import dev.superstep.model.ModelAnswer.Usage;
import dev.superstep.model.ModelRequest;
import dev.superstep.model.ModelRequest.ToolOffer;
import dev.superstep.model.Models;
import dev.superstep.node.Answers;
import dev.superstep.node.tool.Tool;
import dev.superstep.node.tool.ToolNames;
import dev.superstep.node.tool.ToolPermits;
import dev.superstep.node.tool.Tools;
import dev.superstep.state.value.Canonical;
import dev.superstep.state.value.ListValue;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.state.value.Value;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

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

  /// Where models and tools are found.
  sealed interface Sources {}

  /// Those of the server.
  record Server(Models models, Tools tools, ToolPermits permits, ModelCalls calls)
      implements Sources {}

  /// Those of a test: whatever a model is asked, and whatever it is offered, the test answers.
  record Mocked(Answers answers) implements Sources {}

  /// Whether the provider is asked to send the answer piece by piece.
  enum Streaming {
    ALWAYS,
    NEVER,
    /// Streams if the run has subscribers when the call begins.
    WATCHED
  }

  RequestOptions answeredBy(Answers answers) {
    return new RequestOptions(new Mocked(answers), model, tools, options, streaming);
  }

  /// What answers the requests of a call.
  ///
  /// @throws TaskFailedException if the server does not have the model that the node names
  UsableAnswer.Asking asking(NodeCall call) {
    var name = model.map(it -> PromptBuilder.text(it.evaluate(call)));
    return switch (sources) {
      case Server server -> {
        var found = found(server.models(), name);
        yield request -> server.calls().ask(call, found, request);
      }
      case Mocked(var answers) -> request -> MockedModel.answer(call, name, request, answers);
    };
  }

  private static Model found(Models models, Optional<String> name) {
    if (name.isEmpty()) {
      return models
          .standard()
          .orElseThrow(() ->
              TaskFailedException.permanent(
                  "unknown_model",
                  "the node names no model, and this server has no default among "
                      + models.names()));
    }
    return models
        .find(name.get())
        .orElseThrow(() ->
            TaskFailedException.permanent(
                "unknown_model",
                "this server has no model '%s'; it has %s".formatted(name.get(), models.names())));
  }

  List<ToolOffer> tools(NodeCall call, AgentFields fields) {
    var names = tools.map(it -> names(it.evaluate(call))).orElseGet(fields::tools);
    return switch (sources) {
      case Server server ->
          names.stream().map(it -> offer(server, it, call.run().graph())).toList();
      case Mocked _ -> List.of();
    };
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

  private static ToolOffer offer(Server server, String name, String graph) {
    if (server.tools().isTaken(name)) {
      throw TaskFailedException.permanent(ToolNames.TAKEN, ToolNames.taken(name));
    }
    server
        .permits()
        .refusalOfCall(server.tools(), name, graph)
        .ifPresent(it -> {
          throw TaskFailedException.permanent(ToolPermits.NOT_ALLOWED, it);
        });
    return server
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

  /// Answers like a model with what a test says: a text, `{content, tool_calls}`, or anything else
  /// as JSON.
  private static final class MockedModel {
    private static final String NAME = "mock";
    private static final String TOOL_CALLS = "tool_calls";
    private static final String CONTENT = "content";
    private static final Set<String> MESSAGE = Set.of(CONTENT, TOOL_CALLS);

    private MockedModel() {}

    /// Counts towards `limits.max_model_calls`, as a real call.
    static ModelAnswer answer(
        NodeCall call, Optional<String> model, ModelRequest request, Answers answers) {
      call.meter().begin();
      return switch (answers.ofModel(call, model, request)) {
        case Value.Text(var text) -> said(text, List.of());
        case ObjectValue message
            when message.has(TOOL_CALLS) && MESSAGE.containsAll(message.asMap().keySet()) ->
            said(
                PromptBuilder.text(message.getOr(CONTENT, Value.of(""))),
                toolCalls(message.getOr(TOOL_CALLS, Value.NULL)));
        case Value other -> said(Canonical.text(other), List.of());
      };
    }

    private static ModelAnswer said(String text, List<ModelAnswer.ToolCall> toolCalls) {
      return new ModelAnswer(
          text, toolCalls, toolCalls.isEmpty() ? "stop" : TOOL_CALLS, NAME, "", Usage.NOTHING);
    }

    private static List<ModelAnswer.ToolCall> toolCalls(Value value) {
      if (!(value instanceof ListValue list)) {
        throw bad();
      }
      var toolCalls = new ArrayList<ModelAnswer.ToolCall>();
      for (var item : list.asList()) {
        if (!(item instanceof ObjectValue call
            && call.get("name") instanceof Value.Text(var name))) {
          throw bad();
        }
        var id = call.textOrEmpty("id");
        var arguments = call.getOr("arguments", ObjectValue.empty());
        toolCalls.add(
            new ModelAnswer.ToolCall(
                id,
                name,
                arguments instanceof Value.Text(var text) ? text : Canonical.text(arguments)));
      }
      return toolCalls;
    }

    private static TaskFailedException bad() {
      return TaskFailedException.permanent(
          "bad_mock", "tool_calls of a mocked model are a list of {name, arguments}");
    }
  }
}
