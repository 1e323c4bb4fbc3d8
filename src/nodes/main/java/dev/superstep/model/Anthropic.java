package dev.superstep.model;

import dev.superstep.json.Json;
import dev.superstep.json.JsonException;
import dev.superstep.model.AnswerDraft.BrokenException;
import dev.superstep.model.ModelAnswer.ToolCall;
import dev.superstep.model.ModelHttp.Framing;
import dev.superstep.state.value.ListValue;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.state.value.Value;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongConsumer;
import tools.jackson.databind.JsonNode;

/// Anthropic's messages.
final class Anthropic implements Protocol {
  private static final String VERSION = "2023-06-01";

  /// What the protocol cannot do without.
  static final int TOKENS_STANDARD = 4_096;

  private static final List<String> OPTIONS = List.of("temperature", "top_p", "top_k");

  private final PromptCache cache;

  Anthropic(PromptCache cache) {
    this.cache = cache;
  }

  @Override
  public String path() {
    return "/v1/messages";
  }

  @Override
  public Map<String, String> headers(String key) {
    var headers = new HashMap<>(Map.of("anthropic-version", VERSION));
    if (!key.isEmpty()) {
      headers.put("x-api-key", key);
    }
    return headers;
  }

  @Override
  public ObjectValue body(ModelQuestion question) {
    var request = question.request();
    var options = question.options();
    var body =
        ObjectValue.builder()
            .put("model", question.model())
            .put("max_tokens", options.find("max_tokens").orElse(Value.of(TOKENS_STANDARD)))
            .put("messages", messages(question));
    var system = system(question.messages());
    if (!system.isEmpty()) {
      body.put("system", isMarked(request) ? markedSystem(system, question) : whole(system));
    }
    OPTIONS.forEach(name -> options.find(name).ifPresent(it -> body.put(name, it)));
    options.stop().ifPresent(it -> body.put("stop_sequences", it));
    if (!request.tools().isEmpty()) {
      var tools = request.tools().stream().map(Anthropic::tool).toList();
      body.put("tools", isMarked(request) ? CacheMarks.markedLast(tools) : ListValue.of(tools));
    }
    request.outputSchema().ifPresent(it -> body.put("output_config", format(it)));
    if (question.isStreamed()) {
      body.put("stream", Value.TRUE);
    }
    return body.build();
  }

  private boolean isMarked(ModelRequest request) {
    return cache == PromptCache.AUTO && request.lasting().isPresent();
  }

  private static Value whole(List<String> system) {
    return Value.of(String.join("", system));
  }

  /// The protocol has one place for system messages, before all others: the first of them, and what
  /// follows it, such as a summary, which changes.
  private static List<String> system(List<ChatMessage> messages) {
    var texts =
        messages.stream()
            .filter(ChatMessage.Instructions.class::isInstance)
            .map(it -> ((ChatMessage.Instructions) it).text())
            .filter(it -> !it.isBlank())
            .toList();
    return texts.size() < 2
        ? texts
        : List.of(texts.getFirst(), "\n\n" + String.join("\n\n", texts.subList(1, texts.size())));
  }

  private static ListValue markedSystem(List<String> texts, ModelQuestion question) {
    var blocks = ListValue.builder();
    var first = text(texts.getFirst());
    blocks.add(question.lasting() > 0 ? CacheMarks.marked(first) : first);
    texts.stream().skip(1).map(Anthropic::text).forEach(blocks::add);
    return blocks.build();
  }

  private static ObjectValue format(ObjectValue schema) {
    return ObjectValue.of("format", ObjectValue.of("type", "json_schema").plus("schema", schema));
  }

  private static ObjectValue tool(ModelRequest.ToolOffer offer) {
    return ObjectValue.of("name", offer.name())
        .plus("description", offer.description())
        .plus("input_schema", offer.inputSchema());
  }

  private ListValue messages(ModelQuestion question) {
    var marks = CacheMarks.of(question);
    var messages = question.messages();
    var to = ListValue.builder();
    for (int i = 0; i < messages.size(); i++) {
      var message = messages.get(i);
      if (!(message instanceof ChatMessage.Instructions)) {
        var role = message instanceof ChatMessage.Assistant ? "assistant" : "user";
        var blocks = blocks(message);
        to.add(
            OpenAi.said(
                role, isMarked(question.request()) ? marks.content(i, blocks) : content(blocks)));
      }
    }
    return to.build();
  }

  private static Value content(List<ObjectValue> blocks) {
    if (blocks.isEmpty()) {
      return Value.of("");
    }
    var only = blocks.size() == 1 ? blocks.getFirst().get("text") : null;
    return only == null ? ListValue.of(blocks) : only;
  }

  private static List<ObjectValue> blocks(ChatMessage message) {
    var blocks = new ArrayList<ObjectValue>();
    switch (message) {
      case ChatMessage.Instructions _ -> {}
      case ChatMessage.User(var text, var images) -> {
        images.forEach(
            it -> blocks.add(ObjectValue.of("type", "image").plus("source", source(it))));
        addWords(blocks, text);
      }
      case ChatMessage.Assistant(var text, var calls) -> {
        addWords(blocks, text);
        calls.forEach(it -> blocks.add(call(it)));
      }
      case ChatMessage.Results(var results) -> results.forEach(it -> blocks.add(result(it)));
    }
    return blocks;
  }

  private static ObjectValue source(String url) {
    return ChatMessage.Inlined.of(url)
        .map(it ->
            ObjectValue.of("type", "base64")
                .plus("media_type", it.mediaType())
                .plus("data", it.base64()))
        .orElseGet(() -> ObjectValue.of("type", "url").plus("url", url));
  }

  private static ObjectValue call(ToolCall call) {
    return ObjectValue.of("type", "tool_use")
        .plus("id", call.id())
        .plus("name", call.name())
        .plus("input", arguments(call));
  }

  private static void addWords(List<ObjectValue> to, String text) {
    if (!text.isEmpty()) {
      to.add(text(text));
    }
  }

  private static ObjectValue text(String text) {
    return ObjectValue.of("type", "text").plus("text", text);
  }

  /// As the object that the protocol wants, also where the model wrote none.
  static ObjectValue arguments(ToolCall call) {
    try {
      return Json.read(call.arguments()) instanceof ObjectValue object
          ? object
          : unreadable(call.arguments());
    } catch (JsonException _) {
      return unreadable(call.arguments());
    }
  }

  private static ObjectValue unreadable(String arguments) {
    return ObjectValue.of("unreadable", arguments);
  }

  private static ObjectValue result(ChatMessage.Result result) {
    return ObjectValue.of("type", "tool_result")
        .plus("tool_use_id", result.id())
        .plus("content", result.text());
  }

  @Override
  public void read(JsonNode answer, AnswerDraft draft) {
    requireNoError(answer);
    if (!answer.path("content").isArray()) {
      throw new BrokenException("the model answered without content");
    }
    int index = 0;
    for (var block : answer.path("content")) {
      beginBlock(index++, block, draft);
    }
    draft.named(AnswerJson.text(answer, "model"));
    draft.endsFor(AnswerJson.text(answer, "stop_reason"));
    readUsage(answer.path("usage"), draft);
  }

  @Override
  public Framing framing() {
    return Framing.EVENTS;
  }

  @Override
  public boolean readPiece(String piece, AnswerDraft draft) {
    var event = AnswerJson.read(piece);
    requireNoError(event);
    var type = AnswerJson.text(event, "type");
    switch (type) {
      case "message_start" -> {
        draft.named(AnswerJson.text(event.path("message"), "model"));
        readUsage(event.path("message").path("usage"), draft);
      }
      case "content_block_start" ->
          beginBlock(event.path("index").asInt(0), event.path("content_block"), draft);
      case "content_block_delta" ->
          readDelta(event.path("index").asInt(0), event.path("delta"), draft);
      case "message_delta" -> {
        draft.endsFor(AnswerJson.text(event.path("delta"), "stop_reason"));
        readUsage(event.path("usage"), draft);
      }
      case "" -> throw new BrokenException("the model's answer holds an event without a type");
      default -> {} // pings, ends of blocks, and what there may be one day
    }
    return type.equals("message_stop");
  }

  private static void requireNoError(JsonNode answer) {
    if (answer.hasNonNull("error")) {
      throw BrokenException.of(answer.path("error"));
    }
  }

  private static void beginBlock(int index, JsonNode block, AnswerDraft draft) {
    switch (AnswerJson.text(block, "type")) {
      case "text" -> draft.addText(AnswerJson.text(block, "text"));
      case "tool_use" -> {
        var input = block.path("input");
        // A stream begins with an empty one, and its pieces follow.
        draft
            .call(index)
            .add(
                AnswerJson.text(block, "id"),
                AnswerJson.text(block, "name"),
                input.isObject() && !input.isEmpty() ? input.toString() : "");
      }
      default -> {} // its thoughts, and what there may be one day
    }
  }

  /// Pieces of a block of another kind, such as a search on the provider's side, are passed over.
  private static void readDelta(int index, JsonNode delta, AnswerDraft draft) {
    switch (AnswerJson.text(delta, "type")) {
      case "text_delta" -> draft.addText(AnswerJson.text(delta, "text"));
      case "input_json_delta" -> {
        if (draft.hasCall(index)) {
          draft.call(index).add("", "", AnswerJson.text(delta, "partial_json"));
        }
      }
      default -> {}
    }
  }

  /// The protocol counts beside the input what it reads from its cache or writes into it. What a
  /// later event of a stream leaves out stays as it was.
  private static void readUsage(JsonNode usage, AnswerDraft draft) {
    read(usage, "input_tokens", draft::takesUncached);
    read(usage, "cache_read_input_tokens", draft::takesCached);
    read(usage, "cache_creation_input_tokens", draft::takesWritten);
    read(usage, "output_tokens", draft::takesOutput);
  }

  private static void read(JsonNode usage, String member, LongConsumer to) {
    if (usage.hasNonNull(member)) {
      to.accept(AnswerJson.number(usage.path(member)));
    }
  }
}
