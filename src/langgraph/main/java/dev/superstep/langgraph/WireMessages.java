package dev.superstep.langgraph;

import dev.superstep.state.value.ListValue;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.state.value.Value;

/// Writes messages of channels as LangChain does.
public final class WireMessages {
  private static final ListValue NONE = ListValue.empty();

  private WireMessages() {}

  /// Messages of a channel; what is none stays as it is.
  public static Value write(Value messages) {
    if (!(messages instanceof ListValue list)) {
      return messages;
    }
    var written = ListValue.builder();
    list.forEach(it -> written.add(it instanceof ObjectValue message ? write(message) : it));
    return written.build();
  }

  /// One message of a channel.
  public static ObjectValue write(ObjectValue message) {
    var type = type(message);
    var metadata = message.get("metadata") instanceof ObjectValue some ? some : ObjectValue.empty();
    var written =
        ObjectValue.builder()
            .put("type", Value.of(type))
            .put("content", message.getOr("content", Value.of("")))
            .put("additional_kwargs", WireMetadata.additional(metadata, type))
            .put("response_metadata", WireMetadata.response(metadata));
    copy("id", message, written);
    copy("name", message, written);
    switch (type) {
      case "ai" -> {
        var calls = message.get("tool_calls") instanceof ListValue list ? list : NONE;
        written.put("tool_calls", WireToolCalls.valid(calls));
        written.put("invalid_tool_calls", WireToolCalls.invalid(calls, metadata));
        WireMetadata.usage(metadata).ifPresent(it -> written.put("usage_metadata", it));
      }
      case "tool" -> {
        copy("tool_call_id", message, written);
        written.put("status", Value.of(isError(message) ? "error" : "success"));
        copy("artifact", metadata, written);
      }
      default -> {}
    }
    return written.build();
  }

  /// What takes the message of this id out of a list.
  public static ObjectValue removal(String id) {
    return ObjectValue.builder()
        .put("type", Value.of("remove"))
        .put("content", Value.of(""))
        .put("id", Value.of(id))
        .build();
  }

  private static void copy(String member, ObjectValue from, ObjectValue.Builder to) {
    var value = from.get(member);
    if (value != null) {
      to.put(member, value);
    }
  }

  private static boolean isError(ObjectValue message) {
    return Value.TRUE.equals(message.get("is_error"));
  }

  private static String type(ObjectValue message) {
    var role = message.get("role") instanceof Value.Text text ? text.value() : "user";
    return switch (role) {
      case "user" -> "human";
      case "assistant" -> "ai";
      default -> role;
    };
  }
}
