package dev.superstep.model;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class FrameReaderTests {
  private final List<String> passed = new ArrayList<>();

  /// One byte at a time, as the worst network delivers them.
  private static FrameReader of(String text) {
    var bytes = new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8));
    return new FrameReader(
        new InputStream() {
          @Override
          public int read() {
            return bytes.read();
          }

          @Override
          public int read(byte[] to, int offset, int length) {
            return bytes.read(to, offset, Math.min(length, 1));
          }
        });
  }

  private boolean pass(String piece) {
    passed.add(piece);
    return piece.equals("[DONE]");
  }

  @Test
  void passesTheDataOfEvents() throws IOException {
    var isLast =
        of(String.join(
                "\n",
                List.of(
                    ": a comment\r",
                    "event: x\r",
                    "data: é\r",
                    "\r",
                    "data:1",
                    "data: 2",
                    "",
                    "",
                    "id: 7",
                    "",
                    "data: [DONE]",
                    "",
                    "data: more",
                    "")))
            .passEvents(this::pass);

    assertThat(isLast).isTrue();
    assertThat(passed).containsExactly("é", "1\n 2", "[DONE]");
  }

  @Test
  void passesAnEventThatEndsWithTheStream() throws IOException {
    assertThat(of("data: 1\n\ndata: [DONE]").passEvents(this::pass)).isTrue();
    assertThat(passed).containsExactly("1", "[DONE]");
  }

  @Test
  void passesLinesUntilTheStreamEnds() throws IOException {
    assertThat(of("{}\r\n\n  \n{\"a\":1}").passLines(this::pass)).isFalse();
    assertThat(passed).containsExactly("{}", "{\"a\":1}");
  }
}
