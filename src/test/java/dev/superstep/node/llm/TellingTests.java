package dev.superstep.node.llm;

import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.engine.Watchers;
import dev.superstep.node.TestCall;
import dev.superstep.state.ObjectValue;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/// `message.delta` (api.md, *Runs*).
class TellingTests {
  private final List<String> told = new ArrayList<>();

  private final Watchers watchers =
      new Watchers() {
        @Override
        public boolean any() {
          return true;
        }

        @Override
        public void tell(String type, ObjectValue data) {
          told.add(type + " " + data);
        }
      };

  private Telling telling(int attempt) {
    return new Telling(TestCall.plain().attempt(attempt).watchers(watchers));
  }

  @Test
  void saysWhichAttemptWroteWhatAndWhere() {
    var telling = telling(2);

    telling.accept("Zoë ");
    telling.accept("😀");
    telling.accept("!");

    assertThat(told)
        .containsExactly(
            "message.delta {\"attempt\":2,\"offset\":0,\"text\":\"Zoë \"}",
            "message.delta {\"attempt\":2,\"offset\":4,\"text\":\"😀\"}",
            "message.delta {\"attempt\":2,\"offset\":5,\"text\":\"!\"}");
  }

  @Test
  void tellsNoHalfCharacters() {
    var telling = telling(1);

    telling.accept("a\ud83d");
    telling.accept("\ude00");
    telling.accept("\ud83d");

    assertThat(told)
        .containsExactly(
            "message.delta {\"attempt\":1,\"offset\":0,\"text\":\"a\"}",
            "message.delta {\"attempt\":1,\"offset\":1,\"text\":\"😀\"}");
  }
}
