package dev.superstep.langgraph.run;

import dev.superstep.engine.run.Event;
import dev.superstep.engine.run.TaskKey;
import dev.superstep.graph.NodeId;
import dev.superstep.json.Json;
import dev.superstep.langgraph.TaskIds;
import dev.superstep.langgraph.run.MessagePieces.SeenPiece;
import dev.superstep.langgraph.run.MessagePieces.TextDelta;
import dev.superstep.langgraph.run.MessagePieces.TextPart;
import dev.superstep.run.EventView;
import dev.superstep.state.value.ListValue;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.state.value.Value;
import java.io.IOException;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;

/// Writes messages of one run: pieces while models write them, and what is left of them, or a whole
/// message that no model has streamed, when the superstep is committed.
final class MessageFrames {
  private static final String TUPLE = "messages";
  private static final ObjectValue EMPTY = ObjectValue.empty();

  private final StreamedRun run;
  private final WireState wire;
  private final MessagePieces pieces;
  private final Emitter emitter;

  /// Of those of which `messages/metadata` was written.
  private final Set<String> introduced = new HashSet<>();

  MessageFrames(StreamedRun run, WireState wire, MessagePieces pieces, Emitter emitter) {
    this.run = run;
    this.wire = wire;
    this.pieces = pieces;
    this.emitter = emitter;
  }

  static TaskKey task(Event event) {
    return new TaskKey(
        event.superstep().orElse(0),
        event.node().orElse(NodeId.START),
        event.dispatchId().orElse(null));
  }

  /// A piece of a message that its model is writing.
  void live(EventView view) throws IOException {
    var delta = delta(view.event());
    var part = delta.flatMap(pieces::next);
    if (delta.isEmpty() || part.isEmpty()) {
      return;
    }
    var id = delta.get().message();
    var metadata = metadata(view.run(), task(view.event()));
    if (emitter.wants(StreamMode.MESSAGES_TUPLE)) {
      var chunk = chunk(id, part.get().text());
      emitter.piece(TUPLE, ListValue.of(chunk, metadata), id, part.get());
    }
    if (emitter.wants(StreamMode.MESSAGES) && part.get().soFar().isPresent()) {
      partial(id, part.get(), metadata);
    }
  }

  private void partial(String id, TextPart part, ObjectValue metadata) throws IOException {
    if (introduced.add(id)) {
      emitter.live(StreamMode.MESSAGES, "messages/metadata", () -> introduction(id, metadata));
    }
    var whole = chunk(id, part.soFar().orElse("")).plus("type", Value.of("ai"));
    emitter.piece("messages/partial", ListValue.of(whole), id, part);
  }

  private static ObjectValue introduction(String id, ObjectValue metadata) {
    return ObjectValue.of(id, ObjectValue.of("metadata", metadata));
  }

  private static Optional<TextDelta> delta(Event event) {
    var data = event.data();
    return data.get("message_id") instanceof Value.Text(var message)
            && data.get("offset") instanceof Value.Int(long offset)
            && data.get("text") instanceof Value.Text(var text)
        ? Optional.of(
            new TextDelta(message, Json.write(data.getOr("text_id", Value.NULL)), offset, text))
        : Optional.empty();
  }

  /// A message of a committed task.
  void committed(ObjectValue message, TaskKey task) throws IOException {
    var metadata = metadata(run.run(), task);
    var id = message.get("id") instanceof Value.Text(var text) ? text : "";
    emitter.emit(
        StreamMode.MESSAGES_TUPLE,
        TUPLE,
        () -> rest(message, id).map(it -> (Value) ListValue.of(it, metadata)));
    boolean isNew = introduced.add(id);
    emitter.emit(
        StreamMode.MESSAGES,
        "messages/metadata",
        () -> isNew ? Optional.of(introduction(id, metadata)) : Optional.empty());
    emitter.emit(
        StreamMode.MESSAGES,
        "messages/complete",
        () -> Optional.of(ListValue.of(wire.message(message))));
  }

  /// A message of the input.
  void given(ObjectValue message) throws IOException {
    emitter.emit(
        StreamMode.MESSAGES,
        "messages/complete",
        () -> Optional.of(ListValue.of(wire.message(message))));
  }

  /// What the client lacks of it. If the client has a part of another text of this message, since a
  /// driver was lost while a model wrote, the state that follows has it whole; who does not want
  /// that gets it as a message of its own, since pieces of one id are put together.
  private Optional<ObjectValue> rest(ObjectValue message, String id) {
    var whole = wire.message(message);
    if (emitter.repeatsMessages()) {
      return Optional.of(whole);
    }
    return switch (pieces.seen(id, text(whole))) {
      case SeenPiece.Nothing() -> Optional.of(whole);
      case SeenPiece.Unclear() ->
          emitter.wants(StreamMode.VALUES)
              ? Optional.empty()
              : Optional.of(whole.plus("id", Value.of(id + "-2")));
      case SeenPiece.StartedText(var end) -> Optional.of(end(whole, id, end));
    };
  }

  private static String text(ObjectValue whole) {
    return whole.get("content") instanceof Value.Text(var content) ? content : "";
  }

  /// The end of a message of which the client has the text before `seen`, with everything that is
  /// not text.
  private static ObjectValue end(ObjectValue whole, String id, long seen) {
    var text = text(whole);
    long length = text.codePointCount(0, text.length());
    var left = seen < length ? text.substring(text.offsetByCodePoints(0, (int) seen)) : "";
    var end = chunk(id, left);
    for (var key : new String[] {"additional_kwargs", "response_metadata", "usage_metadata"}) {
      var value = whole.get(key);
      end = value == null ? end : end.plus(key, value);
    }
    return whole.get("tool_calls") instanceof ListValue calls && !calls.isEmpty()
        ? end.plus("tool_calls", calls).plus("tool_call_chunks", chunks(calls))
        : end;
  }

  private static ListValue chunks(ListValue calls) {
    var chunks = ListValue.builder();
    for (int i = 0; i < calls.size(); i++) {
      if (calls.get(i) instanceof ObjectValue call) {
        chunks.add(
            ObjectValue.builder()
                .put("index", Value.of(i))
                .put("id", call.getOr("id", Value.NULL))
                .put("name", call.getOr("name", Value.NULL))
                .put("args", Value.of(Json.write(call.getOr("args", EMPTY))))
                .put("type", Value.of("tool_call_chunk"))
                .build());
      }
    }
    return chunks.build();
  }

  private static ObjectValue chunk(String id, String text) {
    return ObjectValue.builder()
        .put("type", Value.of("AIMessageChunk"))
        .put("id", Value.of(id))
        .put("content", Value.of(text))
        .put("additional_kwargs", EMPTY)
        .put("response_metadata", EMPTY)
        .put("tool_calls", ListValue.empty())
        .put("invalid_tool_calls", ListValue.empty())
        .put("tool_call_chunks", ListValue.empty())
        .build();
  }

  private ObjectValue metadata(String stored, TaskKey task) {
    var node = task.node().value();
    var namespace = node + ":" + TaskIds.of(stored, task);
    return ObjectValue.builder()
        .put("langgraph_node", Value.of(node))
        .put("langgraph_step", Value.of(task.superstep()))
        .put("langgraph_checkpoint_ns", Value.of(namespace))
        .put("checkpoint_ns", Value.of(namespace))
        .put("run_id", Value.of(run.id()))
        .put("thread_id", Value.of(run.thread()))
        .put("assistant_id", Value.of(run.assistant()))
        .put("tags", ListValue.empty())
        .build();
  }
}
