package dev.superstep.langgraph;

import dev.superstep.graph.Pointer;
import dev.superstep.problem.ErrorCode;
import dev.superstep.problem.ServiceException;
import dev.superstep.state.value.ListValue;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.state.value.Value;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;

/// Reads messages in all forms in which LangChain takes them: with a `type` or a `role`, a pair of
/// a role and a content, a bare text, an instance that its JavaScript library has serialized, a
/// single one in place of a list.
final class WireMessageReader {
  private static final String REMOVE = "remove";
  private static final String REMOVE_ALL = "__remove_all__";

  private WireMessageReader() {}

  /// @param pointer of `value` in the request
  /// @throws ServiceException `invalid_value` or `wrong_type` at what is no message
  static MessageBlock read(Value value, String pointer) {
    var items = new ArrayList<ObjectValue>();
    if (value instanceof ListValue list) {
      for (int i = 0; i < list.size(); i++) {
        items.add(plain(list.get(i), Pointer.child(pointer, i)));
      }
    } else {
      items.add(plain(value, pointer));
    }
    var removed = new LinkedHashSet<String>();
    var messages = new ArrayList<ObjectValue>();
    boolean replacesAll = false;
    for (int i = 0; i < items.size(); i++) {
      var item = items.get(i);
      var at = value instanceof ListValue ? Pointer.child(pointer, i) : pointer;
      var type = type(item, at);
      if (!type.equals(REMOVE)) {
        var message = message(item, type, at);
        messages.add(message);
        id(message).forEach(removed::remove);
      } else if (removal(item, at).equals(REMOVE_ALL)) {
        replacesAll = true;
        removed.clear();
        messages.clear();
      } else {
        var id = removal(item, at);
        messages.removeIf(it -> id(it).contains(id));
        removed.add(id);
      }
    }
    return new MessageBlock(replacesAll, replacesAll ? List.of() : List.copyOf(removed), messages);
  }

  private static List<String> id(ObjectValue message) {
    return message.findText("id").stream().toList();
  }

  private static String removal(ObjectValue item, String pointer) {
    return id(item).stream()
        .findFirst()
        .orElseThrow(() ->
            ServiceException.at(
                Pointer.child(pointer, "id"),
                ErrorCode.INVALID_VALUE,
                "must be the id of the message that goes, or " + REMOVE_ALL));
  }

  /// As an object with a `type` or a `role`.
  private static ObjectValue plain(Value value, String pointer) {
    return switch (value) {
      case ObjectValue object ->
          object.get("kwargs") instanceof ObjectValue fields
                  && object.get("id") instanceof ListValue path
                  && !path.isEmpty()
              ? fields.plus("type", path.get(path.size() - 1))
              : object;
      case Value.Text text -> form(Value.of("human"), text);
      case ListValue list -> {
        if (list.size() != 2) {
          throw refused(pointer);
        }
        yield form(list.get(0), list.get(1));
      }
      case Value.Null _, Value.Bool _, Value.Int _, Value.Real _ -> throw refused(pointer);
    };
  }

  private static ServiceException refused(String pointer) {
    return ServiceException.at(
        pointer,
        ErrorCode.WRONG_TYPE,
        "must be a message: an object with a type and content, a pair of a role and a content, or"
            + " a text");
  }

  private static ObjectValue form(Value type, Value content) {
    return ObjectValue.of("type", type).plus("content", content);
  }

  /// `human`, `ai`, `system`, `tool` or `remove`.
  private static String type(ObjectValue message, String pointer) {
    var member = message.get("type") instanceof Value.Text ? "type" : "role";
    if (message.get(member) instanceof Value.Text(var word)) {
      switch (word) {
        case "human", "user", "HumanMessage", "HumanMessageChunk" -> {
          return "human";
        }
        case "ai", "assistant", "AIMessage", "AIMessageChunk" -> {
          return "ai";
        }
        case "system", "developer", "SystemMessage", "SystemMessageChunk" -> {
          return "system";
        }
        case "tool", "ToolMessage", "ToolMessageChunk" -> {
          return "tool";
        }
        case REMOVE, "RemoveMessage" -> {
          return REMOVE;
        }
        default -> {}
      }
    }
    throw ServiceException.at(
        Pointer.child(pointer, member),
        ErrorCode.INVALID_VALUE,
        "a message has a type: human, ai, system, tool or remove; or a role: user, assistant,"
            + " system or tool");
  }

  private static String role(String type) {
    return switch (type) {
      case "human" -> "user";
      case "ai" -> "assistant";
      default -> type;
    };
  }

  private static ObjectValue message(ObjectValue item, String type, String pointer) {
    var message = ObjectValue.of("role", role(type));
    for (var member : new String[] {"id", "name", "tool_call_id"}) {
      if (item.get(member) instanceof Value.Text(var text) && !text.isEmpty()) {
        message = message.plus(member, Value.of(text));
      }
    }
    if (type.equals("tool") && isError(item)) {
      message = message.plus("is_error", Value.TRUE);
    }
    var calls = type.equals("ai") ? calls(item, pointer) : ListValue.empty();
    if (!calls.isEmpty()) {
      message = message.plus("tool_calls", calls);
    }
    message = content(message, item, pointer);
    var metadata = metadata(item, type);
    return metadata.isEmpty() ? message : message.plus("metadata", metadata);
  }

  private static boolean isError(ObjectValue item) {
    return Value.of("error").equals(item.get("status")) || Value.TRUE.equals(item.get("is_error"));
  }

  private static ObjectValue content(ObjectValue message, ObjectValue item, String pointer) {
    var content = item.getOr("content", Value.NULL);
    return switch (content) {
      case ListValue blocks -> message.plus("content", blocks(blocks, pointer));
      case Value.Text(var text) ->
          text.isEmpty() && message.has("tool_calls") ? message : message.plus("content", content);
      case Value.Null _ -> message.has("tool_calls") ? message : message.plus("content", "");
      case Value.Bool _, Value.Int _, Value.Real _, ObjectValue _ ->
          throw ServiceException.at(
              Pointer.child(pointer, "content"),
              ErrorCode.WRONG_TYPE,
              "must be a text or a list of blocks");
    };
  }

  private static ListValue blocks(ListValue blocks, String pointer) {
    var read = ListValue.builder();
    for (int i = 0; i < blocks.size(); i++) {
      switch (blocks.get(i)) {
        case ObjectValue block -> read.add(block);
        case Value.Text text -> read.add(ObjectValue.of("type", "text").plus("text", text));
        case Value.Null _, Value.Bool _, Value.Int _, Value.Real _, ListValue _ ->
            throw ServiceException.at(
                Pointer.child(Pointer.child(pointer, "content"), i),
                ErrorCode.WRONG_TYPE,
                "must be a block: an object or a text");
      }
    }
    return read.build();
  }

  private static ListValue calls(ObjectValue item, String pointer) {
    var calls = item.getOr("tool_calls", Value.NULL);
    var read =
        calls instanceof Value.Null
            ? ListValue.empty()
            : WireToolCalls.read(calls, Pointer.child(pointer, "tool_calls"));
    for (var call : item.objects(WireMetadata.INVALID_CALLS)) {
      if (WireToolCalls.isWhole(call)) {
        read =
            read.plus(
                call.minus("args")
                    .minus("error")
                    .minus("type")
                    .plus("arguments", call.getOr("args", Value.NULL)));
      }
    }
    return read;
  }

  private static ObjectValue metadata(ObjectValue item, String type) {
    var metadata = WireMetadata.read(item, type);
    if (type.equals("ai")) {
      var kept =
          item.listOrEmpty(WireMetadata.INVALID_CALLS).filter(it -> !WireToolCalls.isWhole(it));
      metadata = kept.isEmpty() ? metadata : metadata.plus(WireMetadata.INVALID_CALLS, kept);
    }
    return metadata.plusAll(item.objectOrEmpty("metadata"));
  }

  /// Messages of a request.
  ///
  /// @param replacesAll they replace everything that the channel holds
  /// @param removed ids of messages that go
  /// @param messages those that are added, or replace others of their ids
  record MessageBlock(boolean replacesAll, List<String> removed, List<ObjectValue> messages) {
    MessageBlock {
      removed = List.copyOf(removed);
      messages = List.copyOf(messages);
    }

    ListValue list() {
      return ListValue.of(messages);
    }
  }
}
