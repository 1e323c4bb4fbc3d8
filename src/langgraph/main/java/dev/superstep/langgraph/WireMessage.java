package dev.superstep.langgraph;

import dev.superstep.json.Json;
import dev.superstep.state.value.ListValue;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.state.value.Value;
import java.util.ArrayList;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// A message of a channel as LangChain has it.
///
/// @param stored as the channel holds it
public record WireMessage(ObjectValue stored) {
  private static final String TYPE = "type";
  private static final String CONTENT = "content";
  private static final String TOOL_CALLS = "tool_calls";

  /// Messages of a channel; what is none stays as it is.
  static Value json(Value messages) {
    if (!(messages instanceof ListValue list)) {
      return messages;
    }
    var written = ListValue.builder();
    list.forEach(it ->
        written.add(it instanceof ObjectValue message ? new WireMessage(message).json() : it));
    return written.build();
  }

  /// What takes the message of this id out of a list.
  static ObjectValue removal(String id) {
    return ObjectValue.builder().put(TYPE, "remove").put(CONTENT, "").put("id", id).build();
  }

  /// A piece of the text of a message that its model writes.
  public static ObjectValue chunk(String id, String text) {
    return ObjectValue.builder()
        .put(TYPE, "AIMessageChunk")
        .put("id", id)
        .put(CONTENT, text)
        .put("additional_kwargs", ObjectValue.empty())
        .put("response_metadata", ObjectValue.empty())
        .put(TOOL_CALLS, ListValue.empty())
        .put("invalid_tool_calls", ListValue.empty())
        .put("tool_call_chunks", ListValue.empty())
        .build();
  }

  public ObjectValue json() {
    var written =
        ObjectValue.builder()
            .put(TYPE, type())
            .put(CONTENT, content())
            .put("additional_kwargs", additional())
            .put("response_metadata", response());
    put(written, "id", stored.get("id"));
    put(written, "name", stored.get("name"));
    switch (type()) {
      case "ai" -> {
        written.put(TOOL_CALLS, toolCalls());
        written.put("invalid_tool_calls", WireToolCalls.invalid(calls(), metadata()));
        put(written, "usage_metadata", usage().orElse(null));
      }
      case "tool" -> {
        put(written, "tool_call_id", stored.get("tool_call_id"));
        written.put("status", status());
        put(written, "artifact", metadata().get("artifact"));
      }
      default -> {}
    }
    return written.build();
  }

  private static void put(ObjectValue.Builder to, String member, @Nullable Value value) {
    if (value != null) {
      to.put(member, value);
    }
  }

  /// The last chunk of a message of which a client has the first characters of the text: the rest,
  /// with everything that is not text.
  ///
  /// @param seen how many code points it has
  public ObjectValue lastChunk(long seen) {
    var text = stored.textOrEmpty(CONTENT);
    long length = text.codePointCount(0, text.length());
    var rest = seen < length ? text.substring(text.offsetByCodePoints(0, (int) seen)) : "";
    var chunk =
        chunk(id(), rest)
            .plus("additional_kwargs", additional())
            .plus("response_metadata", response());
    var calls = toolCalls();
    if (!calls.isEmpty()) {
      chunk = chunk.plus(TOOL_CALLS, calls).plus("tool_call_chunks", callChunks(calls));
    }
    var usage = usage();
    return usage.isPresent() ? chunk.plus("usage_metadata", usage.get()) : chunk;
  }

  private static ListValue callChunks(ListValue calls) {
    var chunks = new ArrayList<Value>();
    for (var call : calls.items(ObjectValue.class).toList()) {
      chunks.add(
          ObjectValue.builder()
              .put("index", chunks.size())
              .put("id", call.getOr("id", Value.NULL))
              .put("name", call.getOr("name", Value.NULL))
              .put("args", Json.write(call.objectOrEmpty("args")))
              .put(TYPE, "tool_call_chunk")
              .build());
    }
    return ListValue.of(chunks);
  }

  /// Empty: it has none.
  public String id() {
    return stored.textOrEmpty("id");
  }

  /// `human`, `ai`, `system` or `tool`.
  public String type() {
    var role = stored.findText("role").orElse("user");
    return switch (role) {
      case "user" -> "human";
      case "assistant" -> "ai";
      default -> role;
    };
  }

  /// A text, or a list of blocks.
  public Value content() {
    return stored.getOr(CONTENT, Value.of(""));
  }

  /// Of what a tool has answered.
  public String status() {
    return isError() ? "error" : "success";
  }

  /// Whether what a tool has answered is an error.
  public boolean isError() {
    return stored.isTrue("is_error");
  }

  /// Those whose arguments are objects; none if it is no message of a model.
  public ListValue toolCalls() {
    return type().equals("ai") ? WireToolCalls.valid(calls()) : ListValue.empty();
  }

  private ListValue calls() {
    return stored.listOrEmpty(TOOL_CALLS);
  }

  /// Why its model ended it.
  public Optional<String> finishReason() {
    return response().findText("finish_reason");
  }

  /// What its model has used; of messages of models only.
  public Optional<ObjectValue> usage() {
    return type().equals("ai") ? WireMetadata.usage(metadata()) : Optional.empty();
  }

  private ObjectValue additional() {
    return WireMetadata.additional(metadata(), type());
  }

  private ObjectValue response() {
    return WireMetadata.response(metadata());
  }

  private ObjectValue metadata() {
    return stored.objectOrEmpty("metadata");
  }
}
