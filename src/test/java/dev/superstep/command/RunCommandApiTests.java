package dev.superstep.command;

import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.agent.AgentTest;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.test.web.server.LocalServerPort;

/// The commands that talk to a server.
@AgentTest
class RunCommandApiTests {
  private static final Pattern QUESTION = Pattern.compile("resume (\\S+) --answer '([^=]+)=");

  @LocalServerPort private int port;
  @TempDir private Path folder;
  private final Console console = new Console();

  private int run(String... arguments) {
    var all = new ArrayList<>(List.of(arguments));
    all.add("--server=http://127.0.0.1:" + port);
    return console.run(all.toArray(String[]::new));
  }

  private String file(String name, String text) throws IOException {
    return Files.writeString(folder.resolve(name), text).toString();
  }

  @Test
  void postsAndRunsAFile() throws IOException {
    var graph =
        file(
            "sum.yaml",
            """
            name: command-sum
            params: { plus: { default: 0 } }
            output: { channels: [sum] }
            nodes:
              - { id: add, type: expression, config: { update: { sum: "{{ state.a + params.plus }}" } } }
            """);
    assertThat(run("run", graph, "--input", "@" + file("in.json", "{\"a\": 1}")))
        .as(console.err())
        .isZero();
    assertThat(console.out()).isEqualTo("{\"sum\":1}%n".formatted());
    assertThat(run("run", "command-sum", "--input={a: 1}", "--param=plus=41", "--watch")).isZero();
    assertThat(console.out()).contains("{\"sum\":42}");
    assertThat(console.err())
        .contains("posted command-sum, version 1", "superstep.committed", "run.succeeded");
  }

  @Test
  void saysWhyARunFailed() throws IOException {
    var graph =
        file(
            "fail.yaml",
            """
            name: command-fail
            nodes: [{ id: stop, type: fail, config: { code: too_late, message: closed } }]
            """);
    assertThat(run("run", graph)).isEqualTo(1);
    assertThat(console.err()).contains("failed in 'stop': too_late: closed");
  }

  @Test
  void answersQuestions() throws IOException {
    var graph =
        file(
            "ask.yaml",
            """
            name: command-ask
            output: { channels: [ask] }
            nodes: [{ id: ask, type: human, config: { payload: "How many?" } }]
            """);
    assertThat(run("run", graph)).isEqualTo(3);
    var asked = QUESTION.matcher(console.err());
    assertThat(asked.find()).as(console.err()).isTrue();
    assertThat(console.err()).contains("asks in 'ask': How many?");
    assertThat(run("resume", asked.group(1), "--answer", asked.group(2) + "=3", "--watch"))
        .as(console.err())
        .isZero();
    assertThat(console.out()).contains("{\"ask\":3}");
    assertThat(run("resume", asked.group(1))).isEqualTo(2);
    assertThat(console.err())
        .contains("409 run_ended")
        .doesNotContainPattern("answer: .*\\n.*run.created");
  }

  @Test
  void answersTheOnlyQuestionWithoutItsId() throws IOException {
    var graph =
        file(
            "only.yaml",
            "name: command-only\nnodes: [{ id: ask, type: human, config: { payload: 1 } }]\n");
    assertThat(run("run", graph, "--no-wait")).isZero();
    var id = console.out().strip();
    assertThat(run("resume", id, "--answer", "{\"yes\": true}")).as(console.err()).isZero();
  }

  @Test
  void saysWhatTheServerRefuses() throws IOException {
    assertThat(run("run", "command-nowhere")).isEqualTo(2);
    assertThat(console.err()).contains("POST /v1/runs: 404 graph_not_found");
    assertThat(run("run", file("bad.yaml", "name: bad\nnodes: [{ id: a, type: rooter }]")))
        .isEqualTo(2);
    assertThat(console.err()).contains("/nodes/0/type", "router");
  }
}
