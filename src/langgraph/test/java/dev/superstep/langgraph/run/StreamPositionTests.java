package dev.superstep.langgraph.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.superstep.langgraph.run.StreamPosition.TextPosition;
import dev.superstep.problem.ServiceException;
import java.util.List;
import org.junit.jupiter.api.Test;

class StreamPositionTests {
  private static StreamPosition stored(long seq, long index) {
    return new StreamPosition(1, seq, new TextPosition.Stored(index), false);
  }

  private static StreamPosition piece(long seq, long changes, long end, String message) {
    var place = new TextPosition.PiecePosition(changes, end, StreamPosition.hash(message));
    return new StreamPosition(1, seq, place, true);
  }

  @Test
  void isReadAsItWasWritten() {
    for (var position :
        List.of(
            stored(0, 1),
            stored(7, 200),
            piece(7, 1, 0, "m"),
            piece(60_000_000, 63, 1_048_575, "another"),
            piece(60_000_000, 63, 1_048_575, "another").in(2),
            stored(7, 200).in(999_999_999))) {
      assertThat(StreamPosition.read(position.text())).isEqualTo(position);
    }
  }

  @Test
  void ascendsWithTheStream() {
    var stream =
        List.of(
            stored(3, 1),
            stored(3, 2),
            piece(3, 1, 5, "first"),
            piece(3, 1, 9, "first"),
            piece(3, 2, 2, "second"),
            piece(3, 3, 12, "first"),
            stored(4, 1));
    assertThat(stream.stream().map(StreamPosition::text).map(Long::parseLong).toList())
        .isSorted()
        .doesNotHaveDuplicates();
  }

  @Test
  void isNotExactBeyondWhatItCanWrite() {
    assertThat(piece(1, 63, 1_048_575, "m").isExact()).isTrue();
    assertThat(piece(1, 64, 1, "m").isExact()).isFalse();
    assertThat(piece(1, 1, 1_048_576, "m").isExact()).isFalse();
  }

  @Test
  void hasSeenAllOfAnEventBehindWhichAPieceCame() {
    assertThat(stored(3, 2).hasSeen(3, 2)).isTrue();
    assertThat(stored(3, 2).hasSeen(3, 3)).isFalse();
    assertThat(stored(3, 2).after()).isEqualTo(2);
    assertThat(piece(3, 1, 1, "m").hasSeen(3, 9)).isTrue();
    assertThat(piece(3, 1, 1, "m").hasSeen(4, 1)).isFalse();
    assertThat(piece(3, 1, 1, "m").after()).isEqualTo(3);
  }

  @Test
  void refusesWhatIsNoId() {
    for (var text :
        List.of("", "x", "-2", "99999999999999999999", "0.1", "2.", ".7", "2.-1", "9999999999.1")) {
      assertThatThrownBy(() -> StreamPosition.read(text)).isInstanceOf(ServiceException.class);
    }
  }
}
