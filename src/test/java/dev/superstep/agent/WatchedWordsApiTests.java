package dev.superstep.agent;

import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.command.Console;
import dev.superstep.model.stub.Reply;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.RepetitionInfo;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.web.server.LocalServerPort;

/// `run --watch`, on the command line.
@AgentTest
class WatchedWordsApiTests {
  @LocalServerPort int port;
  @Autowired Script script;
  private final Console console = new Console();

  /// The first node calls the model at once, and the model streams only to a run that is watched.
  @RepeatedTest(5)
  void writesTheWordsOfTheFirstNode(RepetitionInfo repetition) {
    var tag = "watched-" + repetition.getCurrentRepetition();
    script.says(tag, Reply.text("word by word it comes"));
    new Service(port)
        .graph(
            "name: watched-words\n"
                + "nodes: [{ id: llm, type: llm, config: { prompt: 'Say {{ state.tag }}' } }]");

    int exit =
        console.run(
            "run",
            "watched-words",
            "--watch",
            "--input={\"tag\": \"#" + tag + "\"}",
            "--server=http://127.0.0.1:" + port);

    assertThat(exit).as(console.err()).isZero();
    assertThat(console.err())
        .contains("run.created", "llm: word by word it comes%n".formatted(), "run.succeeded");
    assertThat(console.out()).contains("word by word it comes");
  }
}
