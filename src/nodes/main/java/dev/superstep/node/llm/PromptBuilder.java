package dev.superstep.node.llm;

import dev.superstep.engine.node.NodeCall;
import dev.superstep.engine.run.TaskFailedException;
import dev.superstep.expression.Expression;
import dev.superstep.expression.Expressions;
import dev.superstep.expression.InvalidExpressionException;
import dev.superstep.expression.Template;
import dev.superstep.graph.ExpressionException;
import dev.superstep.json.Json;
import dev.superstep.state.ListCompaction;
import dev.superstep.state.value.ListValue;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.state.value.Value;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;

/// Builds the messages of a request: the system prompt, the messages of the channel, the prompt of
/// this call.
///
/// @param system empty: the state's `system_prompt`, else the template of the prompt context
/// @param literal the system prompt, if it is no template
/// @param messages the channel; empty: none
record PromptBuilder(
    Optional<Expression> system,
    Optional<String> literal,
    Optional<Expression> prompt,
    Optional<String> messages,
    ContextTemplate template) {

  /// @param conversation how many of the messages are the system prompt and those of the channel; 0
  ///   without any of these
  /// @param fixed how many of the messages are in each request of the node
  /// @param said for the history entry of the prompt context: the last message of a user
  record Prompt(List<ObjectValue> messages, int conversation, int fixed, String said) {
    /// Whether a model has said something of it, and so may go on with it.
    boolean hasAnswers() {
      return messages.subList(0, conversation).stream()
          .anyMatch(it -> it.isText("role", "assistant"));
    }
  }

  /// @param compaction applied to the conversation before it is sent
  Prompt prompt(NodeCall call, AgentFields fields, Optional<ListCompaction> compaction) {
    var all = new ArrayList<ObjectValue>();
    var told = system(call, fields);
    if (!told.isBlank()) {
      all.add(message("system", told));
    }
    var history = history(call, compaction);
    all.addAll(history);
    int conversation = history.isEmpty() ? 0 : all.size();
    var asked = prompt.map(it -> text(it.evaluate(call))).orElse("");
    if (!asked.isBlank()) {
      all.add(message("user", asked));
    }
    if (all.isEmpty()) {
      throw TaskFailedException.permanent(
          "bad_messages", "there is nothing to send: give a prompt, or messages in the channel");
    }
    int fixed = !told.isBlank() && isFixed(call, fields) ? 1 : 0;
    return new Prompt(all, conversation, fixed, said(all));
  }

  private boolean isFixed(NodeCall call, AgentFields fields) {
    if (system.isPresent()) {
      return literal.isPresent();
    }
    return fields.systemPrompt().isEmpty() && !call.context().template().contains("{{");
  }

  private String system(NodeCall call, AgentFields fields) {
    return system
        .map(it -> text(it.evaluate(call)))
        .or(fields::systemPrompt)
        .orElseGet(() -> template.render(call));
  }

  private List<ObjectValue> history(NodeCall call, Optional<ListCompaction> compaction) {
    var value =
        messages.map(it -> call.state().channels().getOr(it, Value.NULL)).orElse(Value.NULL);
    return switch (value) {
      case Value.Null _ -> List.of();
      case ListValue list when list.stream().allMatch(ObjectValue.class::isInstance) ->
          compaction.map(it -> it.applyTo(list)).orElse(list).stream()
              .map(ObjectValue.class::cast)
              .toList();
      case Value _ ->
          throw TaskFailedException.permanent(
              "bad_messages",
              "channel '%s' holds something else than messages".formatted(messages.orElse("")));
    };
  }

  private static String said(List<ObjectValue> messages) {
    return messages.reversed().stream()
        .filter(it -> Value.of("user").equals(it.get("role")))
        .findFirst()
        .map(it -> text(it.getOr("content", Value.NULL)))
        .orElse("");
  }

  static ObjectValue message(String role, String content) {
    return ObjectValue.of("role", role).plus("content", content);
  }

  static String text(Value value) {
    return switch (value) {
      case Value.Text(var text) -> text;
      case Value.Null _ -> "";
      case Value other -> Json.write(other);
    };
  }

  /// The template of the prompt context, which is that of the graph unless a run has its own.
  record ContextTemplate(Expressions expressions, AtomicReference<Compiled> last) {

    record Compiled(String source, Template template) {}

    String render(NodeCall call) {
      var source = call.context().template();
      if (source.isBlank()) {
        return "";
      }
      var known = last.get();
      if (!known.source().equals(source)) {
        known = new Compiled(source, compile(source));
        last.set(known);
      }
      try {
        return known.template().renderText(call);
      } catch (ExpressionException e) {
        throw TaskFailedException.permanent(
            e.code(),
            "the template of the prompt context: %s; it names what the node sees, which GET /v1/runs/{id}/checkpoints/{n}/context?node=%s shows"
                .formatted(e.getMessage(), call.task().key().node()));
      }
    }

    private Template compile(String source) {
      try {
        return expressions.compileTemplate(Value.of(source));
      } catch (InvalidExpressionException e) {
        throw TaskFailedException.permanent(
            "invalid_expression",
            "the template of the prompt context: " + e.problems().getFirst().message());
      }
    }

    static ContextTemplate of(Expressions expressions) {
      var nothing = new Compiled("", expressions.compileTemplate(Value.of("")));
      return new ContextTemplate(expressions, new AtomicReference<>(nothing));
    }
  }
}
