package dev.superstep.langgraph.run;

import dev.superstep.state.value.ListValue;
import dev.superstep.state.value.Value;
import java.io.IOException;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Stream;

/// Numbers what the stored events of one run become, and writes what the client wants and has not
/// seen. The numbers are those of all modes, so that they do not depend on who reads.
final class Emitter {
  private final Frames frames;
  private final Set<StreamMode> modes;
  private final Scope scope;
  private StreamPosition from;
  private final MessagePieces pieces;
  private int era;
  private long seq;
  private long index;

  /// @param namespace behind the names of events; empty for the outermost run
  record Scope(String namespace) {
    static final Scope OUTERMOST = new Scope("");

    boolean isOutermost() {
      return namespace.isEmpty();
    }

    Scope inside(String node, String task) {
      return new Scope("%s|%s:%s".formatted(namespace, node, task));
    }
  }

  Emitter(
      Frames frames,
      Set<StreamMode> modes,
      Scope scope,
      StreamPosition from,
      MessagePieces pieces) {
    this.frames = frames;
    this.modes = Set.copyOf(modes);
    this.scope = scope;
    this.from = from;
    this.pieces = pieces;
    this.era = from.era();
    this.seq = from.seq();
  }

  /// The names of the runs around this one and of itself; empty for the outermost.
  ListValue namespace() {
    var names = ListValue.builder();
    Stream.of(scope.namespace().split("\\|", -1))
        .filter(it -> !it.isEmpty())
        .forEach(it -> names.add(Value.of(it)));
    return names.build();
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

  void emit(StreamMode mode, Supplier<Value> data) throws IOException {
    emit(mode, mode.apiName(), () -> Optional.of(data.get()));
  }

  /// @param data empty: nothing, which has a number nevertheless
  void emit(StreamMode mode, String name, Supplier<Optional<Value>> data) throws IOException {
    index++;
    if (wants(mode) && !from.hasSeen(seq, index)) {
      var written = data.get();
      if (written.isPresent()) {
        write(name, written.get());
      }
    }
  }

  /// Whatever the modes are; not for runs inside.
  void outermost(String name, Value data) throws IOException {
    index++;
    if (scope.isOutermost() && !from.hasSeen(seq, index)) {
      write(name, data);
    }
  }

  private void write(String name, Value data) throws IOException {
    var place = new StreamPosition.TextPosition.Stored(index);
    var position = new StreamPosition(era, seq, place, pieces.isPartial(""));
    frames.write(name, scope.namespace(), data, Optional.of(position));
  }

  /// An event that is not stored and need not be sent again.
  void live(StreamMode mode, String name, Supplier<Value> data) throws IOException {
    if (wants(mode)) {
      frames.write(name, scope.namespace(), data.get(), Optional.empty());
    }
  }

  /// A piece of a message.
  void piece(String name, Value data, String message, MessagePieces.TextPart part)
      throws IOException {
    var position = pieces.position(seq, message, part).in(era);
    frames.write(name, scope.namespace(), data, Optional.of(position));
  }

  /// Whether a message of which the client has a part is written whole nevertheless.
  boolean repeatsMessages() {
    return frames.repeatsMessages();
  }
}
