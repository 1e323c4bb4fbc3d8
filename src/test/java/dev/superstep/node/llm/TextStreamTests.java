package dev.superstep.node.llm;

import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.engine.node.LiveEventSink;
import dev.superstep.node.TestCall;
import dev.superstep.state.value.ObjectValue;
import java.util.ArrayList;
import java.util.List;
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
      };

  private TextStream telling(int attempt) {
    return new TextStream(TestCall.plain().attempt(attempt).watchers(liveEventSink));
  }

  @Test
  void saysWhichAttemptWroteWhatAndWhere() {
    var textStream = telling(2);

    textStream.accept("Zoë ");
    textStream.accept("😀");
    textStream.accept("!");

    assertThat(told)
        .containsExactly(
            "message.delta {\"attempt\":2,\"offset\":0,\"text\":\"Zoë \"}",
            "message.delta {\"attempt\":2,\"offset\":4,\"text\":\"😀\"}",
            "message.delta {\"attempt\":2,\"offset\":5,\"text\":\"!\"}");
  }

  @Test
  void tellsNoHalfCharacters() {
    var textStream = telling(1);

    textStream.accept("a\ud83d");
    textStream.accept("\ude00");
    textStream.accept("\ud83d");

    assertThat(told)
        .containsExactly(
            "message.delta {\"attempt\":1,\"offset\":0,\"text\":\"a\"}",
            "message.delta {\"attempt\":1,\"offset\":1,\"text\":\"😀\"}");
  }
}
