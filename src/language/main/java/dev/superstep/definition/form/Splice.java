package dev.superstep.definition.form;

import dev.superstep.expression.Position;
import dev.superstep.graph.Violation;
import java.util.List;
import java.util.stream.Collectors;

/// A text made of pieces of others, that knows where each of its characters stood.
record Splice(List<SplicedText> pieces) {
  Splice {
    pieces = pieces.stream().filter(it -> !it.text().isEmpty()).toList();
  }

  /// @param pointer of the text that the piece was taken from
  /// @param source that text
  /// @param start index of the piece in it
  record SplicedText(String text, String pointer, String source, int start) {}

  String text() {
    return pieces.stream().map(SplicedText::text).collect(Collectors.joining());
  }

  /// The violation of this text, reported where its author wrote it.
  Violation unspliced(Violation violation) {
    if (!violation.hasPosition() || pieces.isEmpty()) {
      return violation;
    }
    int left = index(text(), violation.line(), violation.column());
    for (var piece : pieces) {
      boolean last = piece.equals(pieces.getLast());
      if (left < piece.text().length() || last) {
        var position = Position.of(piece.source(), piece.start() + left);
        return violation.movedTo(piece.pointer()).at(position.line(), position.column());
      }
      left -= piece.text().length();
    }
    return violation;
  }

  /// UTF-16 index of a position.
  private static int index(String text, int line, int column) {
    int start = 0;
    for (int i = 1; i < line; i++) {
      int end = text.indexOf('\n', start);
      if (end < 0) {
        break;
      }
      start = end + 1;
    }
    int points = text.codePointCount(start, text.length());
    return text.offsetByCodePoints(start, Math.clamp(column - 1L, 0, points));
  }
}
