package dev.superstep.langgraph.run;

import dev.superstep.langgraph.run.StreamPosition.TextPosition;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/// Keeps how much of each message that is being written one client has, so that it gets every part
/// of it once. A message that cannot be completed is left out until it is committed.
final class MessagePieces {
  private final Map<String, Progress> known = new HashMap<>();
  private Optional<TextPosition.PiecePosition> resumed;
  private boolean partial;
  private String last = "";
  private long changes;

  /// @param textId of the attempt whose text it is
  /// @param skipped whether the client gets no more of it
  private record Progress(String textId, long begin, long end, boolean skipped, String soFar) {
    Progress skip() {
      return new Progress(textId, begin, end, true, soFar);
    }

    /// Whether this text has, from `begin` on, what was sent.
    boolean isIn(String text) {
      return begin <= text.codePointCount(0, text.length())
          && text.startsWith(soFar, text.offsetByCodePoints(0, (int) begin));
    }
  }

  /// A piece of a message as it arrives.
  ///
  /// @param offset in code points
  record TextDelta(String message, String textId, long offset, String text) {
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
  record TextPart(String text, long end, Optional<String> soFar) {}

  /// What a client has of a message that is committed.
  sealed interface SeenPiece {
    /// All of the text before `end`.
    record StartedText(long end) implements SeenPiece {}

    record Nothing() implements SeenPiece {}

    /// Some of it, and it is not known which.
    record Unclear() implements SeenPiece {}
  }

  MessagePieces(StreamPosition from) {
    resumed =
        from.place() instanceof TextPosition.PiecePosition piece
            ? Optional.of(piece)
            : Optional.empty();
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
  Optional<TextPart> next(TextDelta delta) {
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
        new TextPart(text, delta.end(), at.begin() == 0 ? Optional.of(soFar) : Optional.empty()));
  }

  private Progress first(TextDelta delta) {
    return switch (seen(delta.message())) {
      case SeenPiece.StartedText(var end) -> new Progress(delta.textId(), end, end, false, "");
      case SeenPiece.Nothing() -> new Progress(delta.textId(), 0, 0, false, "");
      case SeenPiece.Unclear() -> new Progress(delta.textId(), 0, 0, true, "");
    };
  }

  SeenPiece seen(String message) {
    var progress = known.get(message);
    if (progress != null) {
      return progress.skipped() ? unsent(progress) : new SeenPiece.StartedText(progress.end());
    }
    if (resumed.filter(it -> it.isOf(message)).isPresent()) {
      return new SeenPiece.StartedText(resumed.get().end());
    }
    return partial ? new SeenPiece.Unclear() : new SeenPiece.Nothing();
  }

  private SeenPiece unsent(Progress skipped) {
    return skipped.end() == 0 && !partial ? new SeenPiece.Nothing() : new SeenPiece.Unclear();
  }

  /// What the client has of a message that is committed with this text.
  SeenPiece seen(String message, String text) {
    var progress = known.get(message);
    if (progress == null || progress.end() == 0) {
      return seen(message);
    }
    boolean isKnown = progress.begin() == 0 || !progress.skipped();
    return isKnown && progress.isIn(text)
        ? new SeenPiece.StartedText(progress.end())
        : new SeenPiece.Unclear();
  }

  /// Another driver goes on, for which the models write anew: of a text that was being written only
  /// what is known word for word counts.
  void takenOver() {
    partial |= resumed.isPresent();
    resumed = Optional.empty();
    known.replaceAll((_, it) -> it.skip());
  }

  /// The position of a client that has got this part.
  StreamPosition position(long seq, String message, TextPart part) {
    if (!last.equals(message)) {
      changes++;
      last = message;
    }
    long before = resumed.map(TextPosition.PiecePosition::changes).orElse(0L);
    var piece =
        new TextPosition.PiecePosition(before + changes, part.end(), StreamPosition.hash(message));
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
