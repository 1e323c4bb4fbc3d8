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
/// @param offset of the piece in the text, in code points
public record MessageDelta(TextHead head, long offset, String text, Portion portion) {
  public static final String TYPE = "message.delta";
  private static final String ATTEMPT = "attempt";
  private static final String TEXT_ID = "text_id";
  private static final String MESSAGE_ID = "message_id";
  private static final String OFFSET = "offset";
  private static final String TEXT = "text";
  private static final String SO_FAR = "so_far";

  /// Which portion of the text a piece is.
  public enum Portion {
    /// What the model has just written.
    NEXT,
    /// What was written before somebody began to listen. Others may know it already.
    SO_FAR
  }

  /// A piece that has just been written.
  public static MessageDelta next(TextHead head, long offset, String text) {
    return new MessageDelta(head, offset, text, Portion.NEXT);
  }

  /// All of a text up to now.
  public static MessageDelta soFar(TextHead head, String text) {
    return new MessageDelta(head, 0, text, Portion.SO_FAR);
  }

  /// Reads the piece from an event; empty if the event has another type.
  public static Optional<MessageDelta> of(Event event) {
    var data = event.data();
    return event.type().equals(TYPE)
            && data.get(ATTEMPT) instanceof Value.Int(long attempt)
            && data.get(OFFSET) instanceof Value.Int(long offset)
            && data.get(TEXT) instanceof Value.Text(var text)
        ? Optional.of(
            new MessageDelta(
                new TextHead((int) attempt, data.textOrEmpty(TEXT_ID), data.findText(MESSAGE_ID)),
                offset,
                text,
                data.has(SO_FAR) ? Portion.SO_FAR : Portion.NEXT))
        : Optional.empty();
  }

  public ObjectValue data() {
    var data =
        ObjectValue.builder().put(ATTEMPT, head.attempt()).put(OFFSET, offset).put(TEXT, text);
    if (!head.textId().isEmpty()) {
      data.put(TEXT_ID, head.textId());
    }
    head.messageId().ifPresent(it -> data.put(MESSAGE_ID, it));
    if (isSoFar()) {
      data.put(SO_FAR, Value.TRUE);
    }
    return data.build();
  }

  public boolean isSoFar() {
    return portion == Portion.SO_FAR;
  }

  /// The offset of the next piece of the text.
  public long end() {
    return offset + text.codePointCount(0, text.length());
  }

  /// The part of this piece that is behind `seen`, which lies within it.
  public MessageDelta behind(long seen) {
    int from = text.offsetByCodePoints(0, (int) (seen - offset));
    return new MessageDelta(head, seen, text.substring(from), portion);
  }
}
