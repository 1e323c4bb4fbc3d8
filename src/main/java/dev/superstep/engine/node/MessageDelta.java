package dev.superstep.engine.node;

import dev.superstep.engine.run.Event;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.state.value.Value;
import java.util.Optional;

/// A piece of a model's text while it arrives: the live event `message.delta`. The message that is
/// stored in the end is authoritative.
///
/// A piece at offset 0 begins a text and voids earlier pieces of the task, by an attempt that
/// failed or a replica that died. An offset other than the end of the last piece means that pieces
/// were lost.
///
/// @param attempt of the task, from 1; a crash may make it begin again
/// @param offset of the piece in the text, in code points
public record MessageDelta(int attempt, long offset, String text) {
  public static final String TYPE = "message.delta";
  private static final String ATTEMPT = "attempt";
  private static final String OFFSET = "offset";
  private static final String TEXT = "text";

  /// Reads the piece from an event; empty if the event has another type.
  public static Optional<MessageDelta> of(Event event) {
    return event.type().equals(TYPE)
            && event.data().get(ATTEMPT) instanceof Value.Int(long attempt)
            && event.data().get(OFFSET) instanceof Value.Int(long offset)
            && event.data().get(TEXT) instanceof Value.Text(var text)
        ? Optional.of(new MessageDelta((int) attempt, offset, text))
        : Optional.empty();
  }

  public ObjectValue data() {
    return ObjectValue.builder()
        .put(ATTEMPT, Value.of(attempt))
        .put(OFFSET, Value.of(offset))
        .put(TEXT, Value.of(text))
        .build();
  }

  /// The offset of the next piece of the text.
  public long end() {
    return offset + text.codePointCount(0, text.length());
  }
}
