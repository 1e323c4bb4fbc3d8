package dev.superstep.state;

import dev.superstep.state.value.ListValue;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.state.value.Value;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Checks the items of a `messages` channel.
final class MessageShape {
  private static final Set<String> KEYS =
      Set.of("id", "role", "content", "name", "tool_calls", "tool_call_id", "is_error", "metadata");

  private static final Set<String> ROLES = Set.of("system", "user", "assistant", "tool");

  private MessageShape() {}

  /// @throws ReduceException naming the first thing that is wrong, with pointer
  public static void require(ListValue messages) {
    int position = 0;
    for (var item : messages) {
      require(item, "/" + position++);
    }
  }

  /// The message's id, or null if it has none.
  public static @Nullable String id(Value message) {
    return message instanceof ObjectValue object && object.get("id") instanceof Value.Text(var id)
        ? id
        : null;
  }

  public static boolean hasRole(Value message, String role) {
    return message instanceof ObjectValue object
        && object.get("role") instanceof Value.Text(var found)
        && found.equals(role);
  }

  /// Whether the message stands for others that it replaced: it is no part of the history.
  public static boolean isSummary(Value message) {
    return message instanceof ObjectValue object
        && object.get("metadata") instanceof ObjectValue metadata
        && Value.TRUE.equals(metadata.get("summary"));
  }

  private static void require(Value item, String pointer) {
    if (!(item instanceof ObjectValue message)) {
      throw new ReduceException(
          pointer, "a message is an object, not %s".formatted(Typed.named(item)));
    }
    requireKnown(message, pointer);
    if (!(message.get("role") instanceof Value.Text(var role)) || !ROLES.contains(role)) {
      throw new ReduceException(
          pointer + "/role", "a message needs a role: system, user, assistant or tool");
    }
    if (message.get("id") instanceof Value.Text(var id) && id.isEmpty()) {
      throw new ReduceException(pointer + "/id", "a message id must not be empty");
    }
    for (var key : new String[] {"id", "name", "tool_call_id"}) {
      require(key, message.get(key), "string", pointer);
    }
    require("is_error", message.get("is_error"), "boolean", pointer);
    require("metadata", message.get("metadata"), "object", pointer);
    requireContent(message, pointer);
    requireToolCalls(message, pointer);
  }

  private static void requireKnown(ObjectValue message, String pointer) {
    for (var key : message.asMap().keySet()) {
      if (!KEYS.contains(key)) {
        throw new ReduceException(
            pointer + "/" + key.replace("~", "~0").replace("/", "~1"),
            "a message has no '%s'; what is your own goes into its metadata".formatted(key));
      }
    }
  }

  private static void requireContent(ObjectValue message, String pointer) {
    var content = message.get("content");
    boolean mayLack = content == null && message.has("tool_calls");
    if (!mayLack && !(content instanceof Value.Text) && !(content instanceof ListValue)) {
      throw new ReduceException(
          pointer + "/content",
          "a message needs content: a string or an array of parts; only one with tool_calls may"
              + " lack it");
    }
    if (content instanceof ListValue parts) {
      int position = 0;
      for (var part : parts) {
        if (!(part instanceof ObjectValue)) {
          throw new ReduceException(
              pointer + "/content/" + position,
              "a part of a message is an object, not %s".formatted(Typed.named(part)));
        }
        position++;
      }
    }
  }

  private static void requireToolCalls(ObjectValue message, String pointer) {
    var calls = message.get("tool_calls");
    require("tool_calls", calls, "array", pointer);
    if (calls instanceof ListValue list) {
      int position = 0;
      for (var item : list) {
        var at = pointer + "/tool_calls/" + position++;
        if (!(item instanceof ObjectValue call)) {
          throw new ReduceException(at, "a tool call is an object {id, name, arguments}");
        }
        for (var key : new String[] {"id", "name"}) {
          require(key, call.getOr(key, Value.NULL), "string", at);
        }
      }
    }
  }

  private static void require(String key, @Nullable Value value, String type, String pointer) {
    if (value != null && !value.typeName().equals(type)) {
      throw new ReduceException(pointer + "/" + key, "%s must be of type %s".formatted(key, type));
    }
  }
}
