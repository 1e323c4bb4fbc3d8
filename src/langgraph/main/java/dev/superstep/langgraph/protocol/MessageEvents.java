package dev.superstep.langgraph.protocol;

import dev.superstep.state.value.ListValue;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.state.value.Value;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/// Takes messages apart: a begin, blocks of content with their pieces, and an end. The blocks are
/// complete at their end, so that a client that lacks a piece has the message nevertheless.
final class MessageEvents {
  private static final String EVENT = "event";
  private static final String INDEX = "index";
  private static final String CONTENT = "content";
  private static final String TYPE = "type";
  private static final String TEXT = "text";
  private static final String USAGE = "usage_metadata";
  private static final int TEXT_BEGIN = 1;
  private static final int PIECE = 2;
  private static final int TEXT_END = 3;

  /// The text so far of messages whose pieces are written, by their names.
  private final Map<String, String> begun = new ConcurrentHashMap<>();

  /// @param id of the event
  /// @param namespace of the task
  /// @param place among the parts of the message
  record MessagePart(String id, String namespace, String node, ObjectValue data, int place) {}

  /// A message in a task.
  private static final class Parts {
    private final String name;
    private final String namespace;
    private final String node;
    private final List<MessagePart> all = new ArrayList<>();
    private int blocks;

    Parts(String id, ObjectValue metadata) {
      this.namespace = text(metadata, "langgraph_checkpoint_ns");
      this.node = text(metadata, "langgraph_node");
      this.name = "message:%s:%s".formatted(id, namespace);
    }

    void add(String id, int place, ObjectValue.Builder data) {
      int within = Math.min(place, place == EventNumber.LAST ? place : EventNumber.LAST - 1);
      all.add(new MessagePart(name + ":" + id, namespace, node, data.build(), within));
    }

    void block(String word, int place, ObjectValue content) {
      add(
          blocks + ":" + word,
          place,
          event("content-block-" + word).put(INDEX, Value.of(blocks)).put(CONTENT, content));
    }

    void piece(String text, int end) {
      add(
          blocks + ":" + end,
          PIECE,
          event("content-block-delta")
              .put(INDEX, Value.of(blocks))
              .put("delta", MessageEvents.block("text-delta", text)));
    }
  }

  private static ObjectValue.Builder event(String name) {
    return ObjectValue.builder().put(EVENT, Value.of(name));
  }

  private static ObjectValue block(String type, String text) {
    return ObjectValue.of(TYPE, Value.of(type)).plus(TEXT, Value.of(text));
  }

  private static String text(ObjectValue object, String member) {
    return object.get(member) instanceof Value.Text(var text) ? text : "";
  }

  /// @param pair the message and where it comes from
  /// @param whole whether it is complete
  List<MessagePart> of(Value pair, boolean whole) {
    if (!(pair instanceof ListValue list)
        || list.size() < 2
        || !(list.get(0) instanceof ObjectValue message)
        || !(list.get(1) instanceof ObjectValue metadata)) {
      return List.of();
    }
    var parts = new Parts(text(message, "id"), metadata);
    if (whole) {
      complete(message, parts);
    } else {
      piece(message, parts);
    }
    return parts.all;
  }

  private void begin(ObjectValue message, Parts parts) {
    var type = text(message, TYPE);
    var begin =
        event("message-start")
            .put("id", message.getOr("id", Value.NULL))
            .put("role", Value.of(type.equals("AIMessageChunk") ? "ai" : type));
    for (var member : List.of("name", "tool_call_id", "status")) {
      var value = message.get(member);
      if (value != null && !(value instanceof Value.Null)) {
        begin.put(member, value);
      }
    }
    parts.add("begin", 0, begin);
  }

  private void piece(ObjectValue chunk, Parts parts) {
    var before = begun.get(parts.name);
    if (before == null) {
      begin(chunk, parts);
      parts.block("start", TEXT_BEGIN, block(TEXT, ""));
    }
    var piece = text(chunk, CONTENT);
    var soFar = (before == null ? "" : before) + piece;
    begun.put(parts.name, soFar);
    parts.piece(piece, soFar.length());
  }

  private void complete(ObjectValue message, Parts parts) {
    var before = begun.remove(parts.name);
    if (before == null) {
      begin(message, parts);
    }
    if (message.get(CONTENT) instanceof ListValue content) {
      content.forEach(it -> {
        if (it instanceof ObjectValue block) {
          whole(block, block, parts);
        }
      });
    } else {
      textBlock(text(message, CONTENT), before, parts);
    }
    calls(message, parts);
    end(message, parts);
  }

  private static void textBlock(
      String text, @org.jspecify.annotations.Nullable String before, Parts parts) {
    if (before == null && text.isEmpty()) {
      return;
    }
    if (before == null) {
      parts.block("start", TEXT_BEGIN, block(TEXT, ""));
    }
    var known = before == null ? "" : before;
    if (text.length() > known.length() && text.startsWith(known)) {
      parts.piece(text.substring(known.length()), text.length());
    }
    parts.block("finish", TEXT_END, block(TEXT, text));
    parts.blocks++;
  }

  private static void whole(ObjectValue begin, ObjectValue end, Parts parts) {
    int place = TEXT_END + 1 + 2 * parts.blocks;
    parts.block("start", place, begin);
    parts.block("finish", place + 1, end);
    parts.blocks++;
  }

  private static void calls(ObjectValue message, Parts parts) {
    if (message.get("tool_calls") instanceof ListValue calls) {
      calls.forEach(it -> {
        if (it instanceof ObjectValue call) {
          var chunk = call.plus(TYPE, Value.of("tool_call_chunk")).plus("args", Value.of(""));
          whole(chunk, call.plus(TYPE, Value.of("tool_call")), parts);
        }
      });
    }
  }

  private static void end(ObjectValue message, Parts parts) {
    var end = event("message-finish");
    if (message.get("response_metadata") instanceof ObjectValue metadata
        && metadata.get("finish_reason") instanceof Value.Text reason) {
      end.put("reason", reason);
    }
    if (message.get(USAGE) instanceof ObjectValue usage) {
      end.put("usage", usage);
    }
    parts.add("finish", EventNumber.LAST, end);
  }
}
