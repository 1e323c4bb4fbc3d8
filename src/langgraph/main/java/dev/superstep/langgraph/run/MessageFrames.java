package dev.superstep.langgraph.run;

import dev.superstep.engine.run.Event;
import dev.superstep.engine.run.TaskKey;
import dev.superstep.graph.NodeId;
import dev.superstep.json.Json;
import dev.superstep.langgraph.WireMessage;
import dev.superstep.langgraph.run.MessagePieces.SeenPiece;
import dev.superstep.langgraph.run.MessagePieces.TextDelta;
import dev.superstep.langgraph.run.StreamPart.CompleteMessage;
import dev.superstep.langgraph.run.StreamPart.MessageChunk;
import dev.superstep.langgraph.run.StreamPart.MessageEnd;
import dev.superstep.langgraph.run.StreamPart.MessageIntroduction;
import dev.superstep.langgraph.run.StreamPart.MessageOrigin;
import dev.superstep.langgraph.run.StreamPart.PartialMessage;
import dev.superstep.langgraph.run.StreamPart.ToolEnd;
import dev.superstep.langgraph.run.StreamPart.ToolStart;
import dev.superstep.run.EventView;
import dev.superstep.state.value.Value;
import java.io.IOException;
import java.util.HashSet;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;

/// Writes messages of one run: pieces while models write them, and what is left of them, or a whole
/// message that no model has streamed, when the superstep is committed. Calls of tools begin with
/// the message that asks for them, and end with the one that answers.
final class MessageFrames {
  private final StreamedRun run;
  private final MessagePieces pieces;
  private final Emitter emitter;

  /// Of those of which `messages/metadata` was written.
  private final Set<String> introduced = new HashSet<>();

  MessageFrames(StreamedRun run, MessagePieces pieces, Emitter emitter) {
    this.run = run;
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
    var origin = new MessageOrigin(run, view.run(), task(view.event()));
    if (emitter.wants(StreamMode.MESSAGES_TUPLE)) {
      emitter.piece(new MessageChunk(id, part.get().text(), origin), id, part.get());
    }
    var soFar = part.get().soFar();
    if (emitter.wants(StreamMode.MESSAGES) && soFar.isPresent()) {
      if (introduced.add(id)) {
        emitter.live(StreamMode.MESSAGES, () -> new MessageIntroduction(id, origin));
      }
      emitter.piece(new PartialMessage(id, soFar.get()), id, part.get());
    }
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
  void committed(WireMessage message, TaskKey task) throws IOException {
    var origin = new MessageOrigin(run, run.run(), task);
    emitter.emitAny(StreamMode.MESSAGES_TUPLE, () -> end(message, origin));
    boolean isNew = introduced.add(message.id());
    emitter.emitAny(
        StreamMode.MESSAGES,
        () -> Optional.of(new MessageIntroduction(message.id(), origin)).filter(_ -> isNew));
    given(message);
    for (var call : message.stored().objects("tool_calls")) {
      emitter.emit(StreamMode.TOOLS, () -> new ToolStart(call));
    }
    if (message.type().equals("tool")) {
      emitter.emit(StreamMode.TOOLS, () -> new ToolEnd(message));
    }
  }

  /// A message of the input.
  void given(WireMessage message) throws IOException {
    emitter.emit(StreamMode.MESSAGES, () -> new CompleteMessage(message));
  }

  /// What the client lacks of it. If the client has a part of another text of this message, since a
  /// driver was lost while a model wrote, the state that follows has it whole; a client that does
  /// not want states gets it as a message of its own, since pieces of one id are put together. Only
  /// models write in pieces.
  private Optional<MessageEnd> end(WireMessage message, MessageOrigin origin) {
    var text = message.stored().textOrEmpty("content");
    var seen =
        emitter.repeatsMessages() || !message.type().equals("ai")
            ? new SeenPiece.Nothing()
            : pieces.seen(message.id(), text);
    return switch (seen) {
      case SeenPiece.Nothing() ->
          Optional.of(new MessageEnd(message, origin, OptionalLong.empty()));
      case SeenPiece.StartedText(var end) ->
          Optional.of(new MessageEnd(message, origin, OptionalLong.of(end)));
      case SeenPiece.Unclear() -> {
        var other = new WireMessage(message.stored().plus("id", message.id() + "-2"));
        yield emitter.wants(StreamMode.VALUES)
            ? Optional.empty()
            : Optional.of(new MessageEnd(other, origin, OptionalLong.empty()));
      }
    };
  }
}
