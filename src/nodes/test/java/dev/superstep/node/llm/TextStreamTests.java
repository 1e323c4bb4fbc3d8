package dev.superstep.node.llm;

import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.engine.node.LiveEventSink;
import dev.superstep.engine.node.LiveText;
import dev.superstep.node.TestCall;
import dev.superstep.node.llm.LlmNode.TextStream;
import dev.superstep.state.value.ObjectValue;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/// `message.delta` (api.md, *Runs*).
class TextStreamTests {
  private final List<String> told = new ArrayList<>();

  private final LiveEventSink liveEventSink =
      new LiveEventSink() {
        @Override
        public boolean hasSubscribers() {
          return true;
        }

        @Override
        public void publish(String type, ObjectValue data) {
          told.add(type + " " + data);
        }

        @Override
        public LiveText begin(Optional<String> messageId) {
          told.add("begins " + messageId.orElse(""));
          return new LiveText() {
            @Override
            public void append(String piece) {
              told.add(piece);
            }

            @Override
            public void close() {
              told.add("closes");
            }
          };
        }
      };

  private final TextStream textStream =
      new TextStream(TestCall.plain().watchers(liveEventSink), Optional.of("m-1"));

  @Test
  void beginsATextWithItsFirstPiece() {
    assertThat(told).isEmpty();

    textStream.accept("Zoë ");
    textStream.accept("😀");
    textStream.accept("!");

    assertThat(told).containsExactly("begins m-1", "Zoë ", "😀", "!");
  }

  @Test
  void tellsNoHalfCharacters() {
    textStream.accept("\ud83d");
    assertThat(told).isEmpty();
    textStream.accept("\ude00a\ud83d");

    assertThat(told).containsExactly("begins m-1", "😀a");
  }
}
