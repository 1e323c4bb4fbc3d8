package dev.superstep.langgraph.run;

import java.io.IOException;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;

/// Numbers what the stored events of one run become, and writes what the client wants and has not
/// seen. The numbers are those of all modes, so that they do not depend on who reads.
final class Emitter {
  private final Frames frames;
  private final Set<StreamMode> modes;
  private final CheckpointNamespace namespace;
  private StreamPosition from;
  private final MessagePieces pieces;
  private int era;
  private long seq;
  private long index;

  /// @param namespace of the run
  Emitter(
      Frames frames, Set<StreamMode> modes, CheckpointNamespace namespace, StreamPosition from) {
    this.frames = frames;
    this.modes = Set.copyOf(modes);
    this.namespace = namespace;
    this.from = from;
    this.pieces = new MessagePieces(from);
    this.era = from.era();
    this.seq = from.seq();
  }

  CheckpointNamespace namespace() {
    return namespace;
  }

  MessagePieces pieces() {
    return pieces;
  }

  Frames frames() {
    return frames;
  }

  boolean wants(StreamMode mode) {
    return modes.contains(mode);
  }

  /// What follows comes from this stored event.
  void at(long stored) {
    seq = stored;
    index = 0;
  }

  /// From now on, events are sent in this history of the database.
  void history(int now) {
    era = now;
  }

  /// What the client has seen is no part of the history any more, or comes again.
  void rewind() {
    from = StreamPosition.BEGIN;
  }

  void emit(StreamMode mode, Supplier<StreamPart> part) throws IOException {
    emitAny(mode, () -> Optional.of(part.get()));
  }

  /// @param part empty: nothing, which has a number nevertheless
  void emitAny(StreamMode mode, Supplier<Optional<? extends StreamPart>> part) throws IOException {
    index++;
    if (wants(mode) && !from.hasSeen(seq, index)) {
      var written = part.get();
      if (written.isPresent()) {
        write(written.get());
      }
    }
  }

  /// Whatever the modes are; not for runs inside.
  void outermost(StreamPart part) throws IOException {
    index++;
    if (namespace.isRoot() && !from.hasSeen(seq, index)) {
      write(part);
    }
  }

  private void write(StreamPart part) throws IOException {
    var place = new StreamPosition.TextPosition.Stored(index);
    var position = new StreamPosition(era, seq, place, pieces.isPartial(""));
    frames.write(part, namespace, Optional.of(position));
  }

  /// An event that is not stored and need not be sent again.
  void live(StreamMode mode, Supplier<StreamPart> part) throws IOException {
    if (wants(mode)) {
      frames.write(part.get(), namespace, Optional.empty());
    }
  }

  /// A piece of a message.
  void piece(StreamPart part, String message, MessagePieces.TextPart text) throws IOException {
    var position = pieces.position(seq, message, text).in(era);
    frames.write(part, namespace, Optional.of(position));
  }

  /// Whether a message of which the client has a part is written whole nevertheless.
  boolean repeatsMessages() {
    return frames.repeatsMessages();
  }
}
