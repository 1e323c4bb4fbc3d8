package dev.superstep.langgraph.run;

import dev.superstep.langgraph.WireMessage;
import dev.superstep.langgraph.run.StreamPart.MessageChunk;
import dev.superstep.langgraph.run.StreamPart.MessageEnd;
import dev.superstep.langgraph.run.StreamPart.MessageOrigin;
import dev.superstep.state.value.ListValue;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.state.value.Value;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/// Writes messages as several events: a begin, blocks of content with their pieces, and an end. The
/// blocks are complete at their end, so that a client that lacks a piece has the message
/// nevertheless.
final class MessageEvents {
  private static final String TYPE = "type";
  private static final String TEXT = "text";
  private static final int TEXT_BEGIN = 1;
  private static final int PIECE = 2;
  private static final int TEXT_END = 3;

  /// The text so far of messages whose pieces are written, by their names.
  private final Map<String, String> begun = new ConcurrentHashMap<>();

  /// @param id of the event
  /// @param place among the events of the message
  record MessageEvent(String id, ObjectValue data, int place) {}

  /// The events of a message in a task.
  private static final class Blocks {
    private final String name;
    private final List<MessageEvent> all = new ArrayList<>();
    private int blocks;

    Blocks(String id, MessageOrigin origin) {
      this.name = "message:%s:%s".formatted(id, origin.namespace());
    }

    void add(String id, int place, ObjectValue.Builder data) {
      int within = Math.min(place, place == EventNumber.LAST ? place : EventNumber.LAST - 1);
      all.add(new MessageEvent(name + ":" + id, data.build(), within));
    }

    void block(String word, int place, ObjectValue content) {
      add(
          blocks + ":" + word,
          place,
          event("content-block-" + word).put("index", blocks).put("content", content));
    }

    void piece(String text, int end) {
      add(
          blocks + ":" + end,
          PIECE,
          event("content-block-delta").put("index", blocks).put("delta", text("text-delta", text)));
    }

    void whole(ObjectValue begin, ObjectValue end) {
      int place = TEXT_END + 1 + 2 * blocks;
      block("start", place, begin);
      block("finish", place + 1, end);
      blocks++;
    }
  }

  private static ObjectValue.Builder event(String name) {
    return ObjectValue.builder().put("event", name);
  }

  private static ObjectValue text(String type, String text) {
    return ObjectValue.of(TYPE, type).plus(TEXT, text);
  }

  List<MessageEvent> of(MessageChunk chunk) {
    var events = new Blocks(chunk.id(), chunk.origin());
    var before = begun.get(events.name);
    if (before == null) {
      events.add("begin", 0, begin(Value.of(chunk.id()), "ai"));
      events.block("start", TEXT_BEGIN, text(TEXT, ""));
    }
    var soFar = (before == null ? "" : before) + chunk.text();
    begun.put(events.name, soFar);
    events.piece(chunk.text(), soFar.length());
    return events.all;
  }

  List<MessageEvent> of(MessageEnd end) {
    var message = end.message();
    var events = new Blocks(message.id(), end.origin());
    var before = begun.remove(events.name);
    if (before == null) {
      events.add("begin", 0, begin(message));
    }
    if (message.content() instanceof ListValue content) {
      content.items(ObjectValue.class).forEach(it -> events.whole(it, it));
    } else {
      write(message.content() instanceof Value.Text(var text) ? text : "", before, events);
    }
    message
        .toolCalls()
        .items(ObjectValue.class)
        .forEach(it ->
            events.whole(
                it.plus(TYPE, "tool_call_chunk").plus("args", ""), it.plus(TYPE, "tool_call")));
    var finish = event("message-finish");
    message.finishReason().ifPresent(it -> finish.put("reason", it));
    message.usage().ifPresent(it -> finish.put("usage", it));
    events.add("finish", EventNumber.LAST, finish);
    return events.all;
  }

  private static ObjectValue.Builder begin(Value id, String role) {
    return event("message-start").put("id", id).put("role", role);
  }

  private static ObjectValue.Builder begin(WireMessage message) {
    var stored = message.stored();
    var begin = begin(stored.getOr("id", Value.NULL), message.type());
    put(begin, "name", stored.get("name"));
    if (message.type().equals("tool")) {
      put(begin, "tool_call_id", stored.get("tool_call_id"));
      begin.put("status", message.status());
    }
    return begin;
  }

  private static void put(ObjectValue.Builder to, String member, @Nullable Value value) {
    if (value != null && !(value instanceof Value.Null)) {
      to.put(member, value);
    }
  }

  private static void write(String text, @Nullable String before, Blocks events) {
    if (before == null && text.isEmpty()) {
      return;
    }
    if (before == null) {
      events.block("start", TEXT_BEGIN, text(TEXT, ""));
    }
    var known = before == null ? "" : before;
    if (text.length() > known.length() && text.startsWith(known)) {
      events.piece(text.substring(known.length()), text.length());
    }
    events.block("finish", TEXT_END, text(TEXT, text));
    events.blocks++;
  }
}
