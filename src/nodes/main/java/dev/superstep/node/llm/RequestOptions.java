package dev.superstep.node.llm;

import dev.superstep.engine.node.NodeCall;
import dev.superstep.engine.run.TaskFailedException;
import dev.superstep.expression.Expression;
import dev.superstep.model.ModelAnswer;
import dev.superstep.model.ModelAnswer.Usage;
import dev.superstep.model.ModelRequest;
import dev.superstep.model.ModelRequest.ToolOffer;
import dev.superstep.model.Models;
import dev.superstep.node.Answers;
import dev.superstep.node.EmittedEvents;
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
import java.util.OptionalInt;
import java.util.Set;

/// Chooses the model of a request and the tools that it may use.
///
/// @param tools names; empty: what the state's `tools` names
record RequestOptions(
    Sources sources,
    ModelChoice choice,
    Optional<Expression> tools,
    Optional<Expression> options,
    Delivering delivering) {

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

  /// Whether the provider is asked to keep what is sent again.
  enum Caching {
    AUTO,
    OFF
  }

  /// How requests are sent and answers come.
  record Delivering(Streaming streaming, Caching caching) {}

  Streaming streaming() {
    return delivering.streaming();
  }

  /// What of a request is to be kept in a cache. A conversation is, if there are signs that it goes
  /// on: an answer in it, or tools, whose results follow. Dispatched tasks are sent side by side,
  /// and none would find what another one writes.
  OptionalInt lasting(NodeCall call, PromptBuilder.Prompt prompt, List<ToolOffer> offered) {
    if (delivering.caching() == Caching.OFF) {
      return OptionalInt.empty();
    }
    boolean goesOn = call.task().dispatch() == null && (prompt.hasAnswers() || !offered.isEmpty());
    return OptionalInt.of(
        goesOn && prompt.conversation() > 0 ? prompt.conversation() : prompt.fixed());
  }

  RequestOptions answeredBy(Answers answers) {
    return new RequestOptions(new Mocked(answers), choice, tools, options, delivering);
  }

  /// What answers the requests of a call.
  ///
  /// @param events takes what happens meanwhile
  /// @throws TaskFailedException if the server does not have a model that the node names, or the
  ///   graph may not use it
  UsableAnswer.ModelCaller asking(NodeCall call, EmittedEvents events) {
    return switch (sources) {
      case Server server -> {
        var found = choice.found(call, server.models());
        found.forEach(it -> server.calls().requirePermit(call, it));
        if (choice.isList()) {
          yield new ModelList(call, server.calls(), found, choice.fallback(), events);
        }
        UsableAnswer.OneModel one = request -> server.calls().ask(call, found.getFirst(), request);
        yield one.as(found.getFirst().name());
      }
      case Mocked(var answers) -> {
        var name = choice.names(call).stream().findFirst();
        UsableAnswer.OneModel one = request -> MockedModel.answer(call, name, request, answers);
        yield one.as(name.orElse(MockedModel.NAME));
      }
    };
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
