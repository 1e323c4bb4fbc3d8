package dev.superstep.langgraph.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.langgraph.run.MessagePieces.SeenPiece;
import dev.superstep.langgraph.run.MessagePieces.TextDelta;
import dev.superstep.langgraph.run.MessagePieces.TextPart;
import org.junit.jupiter.api.Test;

/// What a client has of a message, when it stays and when it comes again.
class MessagePiecesTests {
  private final MessagePieces pieces = new MessagePieces(StreamPosition.BEGIN);

  private static TextDelta delta(String message, long offset, String text) {
    return new TextDelta(message, "t-" + message, offset, text);
  }

  private static String sent(MessagePieces pieces, TextDelta delta) {
    return pieces.next(delta).map(TextPart::text).orElse("");
  }

  /// A client that has got this part, and connects again.
  private static MessagePieces again(MessagePieces before, TextDelta delta) {
    var part = before.next(delta).orElseThrow();
    var position = before.position(3, delta.message(), part);
    return new MessagePieces(StreamPosition.read(position.text()));
  }

  @Test
  void sendsEachPieceOnce() {
    assertThat(sent(pieces, delta("m", 0, "Good "))).isEqualTo("Good ");
    assertThat(sent(pieces, delta("m", 5, "morning"))).isEqualTo("morning");
    assertThat(sent(pieces, delta("m", 0, "Good morning"))).isEmpty();
    assertThat(sent(pieces, delta("m", 0, "Good morning!"))).isEqualTo("!");
    assertThat(pieces.seen("m")).isEqualTo(new SeenPiece.StartedText(13));
    assertThat(pieces.seen("other")).isEqualTo(new SeenPiece.Nothing());
  }

  @Test
  void goesOnWhereTheClientWas() {
    var later = again(pieces, delta("m", 0, "Good "));

    assertThat(later.seen("m")).isEqualTo(new SeenPiece.StartedText(5));
    assertThat(sent(later, delta("m", 0, "Good morning"))).isEqualTo("morning");
    assertThat(later.seen("other")).isEqualTo(new SeenPiece.Nothing());
  }

  @Test
  void comparesWhatWasSentWithTheTextThatIsCommitted() {
    assertThat(sent(pieces, delta("m", 0, "😀 Good "))).isEqualTo("😀 Good ");
    pieces.takenOver();

    assertThat(sent(pieces, new TextDelta("m", "second", 0, "😀 Good morning"))).isEmpty();
    assertThat(pieces.seen("m", "😀 Good morning")).isEqualTo(new SeenPiece.StartedText(7));
    assertThat(pieces.seen("m", "😀 Good")).isEqualTo(new SeenPiece.Unclear());
    assertThat(pieces.seen("m", "Bad morning")).isEqualTo(new SeenPiece.Unclear());
    assertThat(pieces.seen("other", "Good")).isEqualTo(new SeenPiece.Nothing());
  }

  @Test
  void doesNotTrustALengthAfterATakeover() {
    var later = again(pieces, delta("m", 0, "Good "));
    var other = again(new MessagePieces(StreamPosition.BEGIN), delta("m", 0, "Good "));
    assertThat(sent(other, delta("m", 5, "morning"))).isEqualTo("morning");
    assertThat(other.seen("m", "Good morning")).isEqualTo(new SeenPiece.StartedText(12));

    later.takenOver();
    other.takenOver();

    assertThat(later.seen("m", "Good morning")).isEqualTo(new SeenPiece.Unclear());
    assertThat(other.seen("m", "Good morning")).isEqualTo(new SeenPiece.Unclear());
  }

  @Test
  void countsCodePoints() {
    var later = again(pieces, delta("m", 0, "😀a"));

    assertThat(sent(later, delta("m", 0, "😀a😀b"))).isEqualTo("😀b");
  }

  @Test
  void leavesOutAMessageOfWhichAPartIsMissing() {
    assertThat(sent(pieces, delta("m", 0, "Good "))).isEqualTo("Good ");
    assertThat(sent(pieces, delta("m", 7, "rning"))).isEmpty();
    assertThat(sent(pieces, delta("m", 12, "!"))).isEmpty();
    assertThat(pieces.seen("m")).isEqualTo(new SeenPiece.Unclear());
  }

  @Test
  void leavesOutTheTextOfASecondAttempt() {
    assertThat(sent(pieces, new TextDelta("m", "first", 0, "Good "))).isEqualTo("Good ");
    assertThat(sent(pieces, new TextDelta("m", "second", 0, "Bad"))).isEmpty();
    assertThat(pieces.seen("m")).isEqualTo(new SeenPiece.Unclear());
  }

  @Test
  void sendsAMessageWholeOfWhichNothingWasSent() {
    assertThat(sent(pieces, delta("m", 4, "late"))).isEmpty();
    assertThat(pieces.seen("m")).isEqualTo(new SeenPiece.Nothing());
  }

  @Test
  void doesNotRepeatMessagesThatCameBesideTheLastOne() {
    assertThat(sent(pieces, delta("left", 0, "L"))).isEqualTo("L");
    var later = again(pieces, delta("right", 0, "R"));

    assertThat(sent(later, delta("right", 0, "Right"))).isEqualTo("ight");
    assertThat(sent(later, delta("left", 0, "Left"))).isEmpty();
    assertThat(later.seen("left")).isEqualTo(new SeenPiece.Unclear());
    later.committed();
    assertThat(sent(later, delta("next", 0, "N"))).isEqualTo("N");
  }
}
