package dev.superstep.langgraph.stream;

import dev.superstep.langgraph.stream.StreamPosition.Place;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/// Keeps how much of each message that is being written one client has, so that it gets every part
/// of it once. A message that cannot be completed is left out until it is committed: the state that
/// follows has it whole.
final class MessagePieces {
  private final Map<String, Progress> known = new HashMap<>();
  private Optional<Place.Piece> resumed;
  private boolean partial;
  private String last = "";
  private long changes;

  /// @param textId of the attempt whose text it is
  /// @param skipped whether the client gets no more of it
  private record Progress(String textId, long begin, long end, boolean skipped, String soFar) {
    Progress skip() {
      return new Progress(textId, begin, end, true, soFar);
    }
  }

  /// A piece of a message as it arrives.
  ///
  /// @param offset in code points
  record Delta(String message, String textId, long offset, String text) {
    long end() {
      return offset + text.codePointCount(0, text.length());
    }

    String behind(long seen) {
      return text.substring(text.offsetByCodePoints(0, (int) (seen - offset)));
    }
  }

  /// What is to be sent of a piece.
  ///
  /// @param soFar the whole text up to its end, if the client has had all of it from here
  record Part(String text, long end, Optional<String> soFar) {}

  /// What a client has of a message that is committed.
  sealed interface Seen {
    /// All of the text before `end`.
    record Begun(long end) implements Seen {}

    record Nothing() implements Seen {}

    /// Some of it, and it is not known which.
    record Unclear() implements Seen {}
  }

  MessagePieces(StreamPosition from) {
    resumed = from.place() instanceof Place.Piece piece ? Optional.of(piece) : Optional.empty();
    partial = from.partial();
  }

  /// Whether the client has a part of a message that is not committed; `but` apart.
  boolean isPartial(String but) {
    return partial
        || resumed.filter(it -> !it.isOf(but)).isPresent()
        || known.entrySet().stream()
            .anyMatch(it -> !it.getKey().equals(but) && it.getValue().end() > 0);
  }

  /// What is to be sent of a piece, if anything.
  Optional<Part> next(Delta delta) {
    var before = known.get(delta.message());
    var at = before == null ? first(delta) : before;
    if (at.skipped() || !at.textId().equals(delta.textId()) || delta.offset() > at.end()) {
      known.put(delta.message(), at.skip());
      return Optional.empty();
    }
    if (delta.end() <= at.end()) {
      known.put(delta.message(), at);
      return Optional.empty();
    }
    var text = delta.behind(at.end());
    var soFar = at.soFar() + text;
    known.put(delta.message(), new Progress(at.textId(), at.begin(), delta.end(), false, soFar));
    return Optional.of(
        new Part(text, delta.end(), at.begin() == 0 ? Optional.of(soFar) : Optional.empty()));
  }

  private Progress first(Delta delta) {
    return switch (seen(delta.message())) {
      case Seen.Begun(var end) -> new Progress(delta.textId(), end, end, false, "");
      case Seen.Nothing() -> new Progress(delta.textId(), 0, 0, false, "");
      case Seen.Unclear() -> new Progress(delta.textId(), 0, 0, true, "");
    };
  }

  /// What the client has of a message.
  Seen seen(String message) {
    var progress = known.get(message);
    if (progress != null) {
      return progress.skipped() ? unsent(progress) : new Seen.Begun(progress.end());
    }
    if (resumed.filter(it -> it.isOf(message)).isPresent()) {
      return new Seen.Begun(resumed.get().end());
    }
    return partial ? new Seen.Unclear() : new Seen.Nothing();
  }

  private Seen unsent(Progress skipped) {
    return skipped.end() == 0 && !partial ? new Seen.Nothing() : new Seen.Unclear();
  }

  /// The position of a client that has got this part.
  StreamPosition position(long seq, String message, Part part) {
    if (!last.equals(message)) {
      changes++;
      last = message;
    }
    long before = resumed.map(Place.Piece::changes).orElse(0L);
    var piece = new Place.Piece(before + changes, part.end(), StreamPosition.hash(message));
    return new StreamPosition(0, seq, piece, isPartial(message));
  }

  /// A stored event came: the number of changes begins anew.
  void stored() {
    changes = 0;
    last = "";
  }

  /// The client has nothing of messages that are not committed: it has gone back.
  void rewind() {
    committed();
  }

  /// A superstep is committed: its messages are complete.
  void committed() {
    known.clear();
    resumed = Optional.empty();
    partial = false;
  }
}
