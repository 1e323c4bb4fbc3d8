package dev.superstep.model;

import dev.superstep.model.AnswerDraft.BrokenException;
import dev.superstep.model.ModelAnswer.ToolCall;
import dev.superstep.model.ModelHttp.Framing;
import dev.superstep.state.value.ListValue;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.state.value.Value;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.JsonNode;

/// OpenAI's chat completions, which many servers speak.
final class OpenAi implements Protocol {
  private static final List<String> OPTIONS =
      List.of(
          "temperature",
          "top_p",
          "frequency_penalty",
          "presence_penalty",
          "max_tokens",
          "seed",
          "reasoning_effort",
          "parallel_tool_calls");

  @Override
  public String path() {
    return "/chat/completions";
  }

  @Override
  public Map<String, String> headers(String key) {
    return key.isEmpty() ? Map.of() : Map.of("Authorization", "Bearer " + key);
  }

  @Override
  public ObjectValue body(ModelQuestion question) {
    var request = question.request();
    var messages = ListValue.builder();
    question.messages().forEach(it -> addMessage(messages, it));
    var body =
        ObjectValue.builder().put("model", question.model()).put("messages", messages.build());
    OPTIONS.forEach(name -> question.options().find(name).ifPresent(it -> body.put(name, it)));
    question.options().stop().ifPresent(it -> body.put("stop", it));
    if (!request.tools().isEmpty()) {
      body.put("tools", ListValue.of(request.tools().stream().map(OpenAi::tool).toList()));
    }
    request.outputSchema().ifPresent(it -> body.put("response_format", format(it)));
    if (question.isStreamed()) {
      body.put("stream", Value.TRUE);
      body.put("stream_options", ObjectValue.of("include_usage", Value.TRUE));
    }
    return body.build();
  }

  private static ObjectValue format(ObjectValue schema) {
    return ObjectValue.of("type", "json_schema")
        .plus(
            "json_schema",
            ObjectValue.of("name", "json_schema").plus("strict", true).plus("schema", schema));
  }

  /// Ollama declares tools in the same words.
  static ObjectValue tool(ModelRequest.ToolOffer offer) {
    return ObjectValue.of("type", "function")
        .plus(
            "function",
            ObjectValue.of("name", offer.name())
                .plus("description", offer.description())
                .plus("parameters", offer.inputSchema()));
  }

  private static void addMessage(ListValue.Builder to, ChatMessage message) {
    switch (message) {
      case ChatMessage.Instructions(var text) -> to.add(said("system", Value.of(text)));
      case ChatMessage.User(var text, var images) ->
          to.add(said("user", images.isEmpty() ? Value.of(text) : parts(text, images)));
      case ChatMessage.Assistant(var text, var calls) when calls.isEmpty() ->
          to.add(said("assistant", Value.of(text)));
      case ChatMessage.Assistant(var text, var calls) ->
          to.add(
              said("assistant", text.isEmpty() ? Value.NULL : Value.of(text))
                  .plus("tool_calls", ListValue.of(calls.stream().map(OpenAi::call).toList())));
      case ChatMessage.Results(var results) ->
          results.forEach(
              it -> to.add(said("tool", Value.of(it.text())).plus("tool_call_id", it.id())));
    }
  }

  static ObjectValue said(String role, Value content) {
    return ObjectValue.of("role", role).plus("content", content);
  }

  private static ListValue parts(String text, List<String> images) {
    var parts = ListValue.builder();
    if (!text.isEmpty()) {
      parts.add(ObjectValue.of("type", "text").plus("text", text));
    }
    images.forEach(it ->
        parts.add(
            ObjectValue.of("type", "image_url").plus("image_url", ObjectValue.of("url", it))));
    return parts.build();
  }

  private static ObjectValue call(ToolCall call) {
    return ObjectValue.of("id", call.id())
        .plus("type", "function")
        .plus("function", ObjectValue.of("name", call.name()).plus("arguments", call.arguments()));
  }

  @Override
  public void read(JsonNode answer, AnswerDraft draft) {
    var choices = choices(answer, draft);
    if (choices.isEmpty()) {
      throw new BrokenException("the model answered without a choice");
    }
    var message = choices.get(0).path("message");
    readWords(message, draft);
    int index = 0;
    for (var call : message.path("tool_calls")) {
      readCall(call, draft.call(index++));
    }
    draft.endsFor(AnswerJson.text(choices.get(0), "finish_reason"));
  }

  @Override
  public Framing framing() {
    return Framing.EVENTS;
  }

  @Override
  public boolean readPiece(String piece, AnswerDraft draft) {
    if (piece.equals("[DONE]")) {
      return true;
    }
    for (var choice : choices(AnswerJson.read(piece), draft)) {
      var delta = choice.path("delta");
      readWords(delta, draft);
      for (var call : delta.path("tool_calls")) {
        readCall(call, draft.call(index(call, draft)));
      }
      draft.endsFor(AnswerJson.text(choice, "finish_reason"));
    }
    return false;
  }

  private static JsonNode choices(JsonNode answer, AnswerDraft draft) {
    if (answer.hasNonNull("error")) {
      throw BrokenException.of(answer.path("error"));
    }
    var choices = answer.path("choices");
    if (!choices.isArray()) {
      throw new BrokenException("the model answered without a choice");
    }
    draft.named(AnswerJson.text(answer, "model"));
    var usage = answer.path("usage");
    if (usage.isObject()) {
      draft.takesInput(AnswerJson.number(usage.path("prompt_tokens")));
      draft.takesOutput(AnswerJson.number(usage.path("completion_tokens")));
      var details = usage.path("prompt_tokens_details");
      draft.takesCached(AnswerJson.number(details.path("cached_tokens")));
      draft.takesWritten(AnswerJson.number(details.path("cache_write_tokens")));
    }
    return choices;
  }

  private static void readWords(JsonNode message, AnswerDraft draft) {
    draft.addText(AnswerJson.text(message, "content"));
    draft.addRefusal(AnswerJson.text(message, "refusal"));
  }

  private static void readCall(JsonNode call, AnswerDraft.CallDraft to) {
    var function = call.path("function");
    to.add(
        AnswerJson.text(call, "id"),
        AnswerJson.text(function, "name"),
        AnswerJson.text(function, "arguments"));
  }

  /// Some servers leave the index out: then an id begins another call.
  private static int index(JsonNode call, AnswerDraft draft) {
    var index = call.path("index");
    if (index.isInt()) {
      return index.intValue();
    }
    return AnswerJson.text(call, "id").isEmpty()
        ? Math.max(0, draft.callCount() - 1)
        : draft.callCount();
  }
}
