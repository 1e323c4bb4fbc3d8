package dev.superstep.node.llm;

import dev.superstep.engine.node.NodeCall;
import dev.superstep.engine.node.Summarizer;
import dev.superstep.engine.run.TaskError;
import dev.superstep.engine.run.TaskFailedException;
import dev.superstep.json.Json;
import dev.superstep.model.Model;
import dev.superstep.model.ModelException;
import dev.superstep.model.ModelRequest;
import dev.superstep.node.EmittedEvents;
import dev.superstep.state.value.ListValue;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.state.value.Value;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/// Asks a model for a summary. The messages are sent as one text, so that neither their roles nor
/// calls of tools among them mean anything to the provider.
///
/// @param models asked for at each call, in the order of preference; empty: there is none
record ModelSummary(
    Supplier<List<Model>> models, String prompt, ObjectValue options, ModelCalls calls)
    implements Summarizer {
  static final String PROMPT =
      """
      You are given the earlier part of a conversation. Write a summary that takes its place, for an \
      assistant that goes on with the conversation and sees nothing of that part but your summary. \
      Keep facts, names, numbers, decisions, results of tools, and what is still open. Leave out \
      courtesies. Write nothing but the summary.\
      """;

  @Override
  public Optional<String> summarize(ListValue messages, NodeCall call) throws InterruptedException {
    var named = models.get();
    if (named.isEmpty()) {
      throw TaskFailedException.permanent("unknown_model", "this server has no such model");
    }
    var request =
        new ModelRequest(
            List.of(
                PromptBuilder.message("system", prompt),
                PromptBuilder.message("user", transcript(messages))),
            List.of(),
            Optional.empty(),
            options,
            new ModelRequest.Delivery.Whole());
    try {
      var list = new ModelList(call, calls, named, Fallback.STANDARD, new EmittedEvents(call));
      return Optional.of(text(list.ask(request).text()));
    } catch (ModelException e) {
      throw new TaskFailedException(e.error());
    }
  }

  private static String text(String summary) {
    if (summary.isBlank()) {
      throw new TaskFailedException(
          TaskError.permanent("bad_summary", "the model wrote an empty summary"));
    }
    return summary.strip();
  }

  private static String transcript(ListValue messages) {
    var text = new StringBuilder();
    for (var item : messages.asList()) {
      if (item instanceof ObjectValue message) {
        text.append(PromptBuilder.text(message.getOr("role", Value.of("?"))))
            .append(": ")
            .append(PromptBuilder.text(message.getOr("content", Value.NULL)));
        var called = message.get("tool_calls");
        if (called != null) {
          text.append(" calls ").append(Json.write(called));
        }
      } else {
        text.append(Json.write(item));
      }
      text.append('\n');
    }
    return text.toString();
  }

  @Override
  public boolean spends() {
    return true;
  }
}
