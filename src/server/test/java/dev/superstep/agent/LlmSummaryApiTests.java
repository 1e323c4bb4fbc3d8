package dev.superstep.agent;

import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.json.Json;
import dev.superstep.model.stub.Reply;
import dev.superstep.state.value.ListValue;
import dev.superstep.state.value.Value;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.web.server.LocalServerPort;

/// Summaries that models write (definitions.md, *Compaction of a channel*; S0-8 to S0-10).
@AgentTest
class LlmSummaryApiTests {
  private static final String COMPACTED =
      """
      name: %s
      channels:
        messages:
          reducer: messages
          compaction:
            when: { messages_over: %d }
            keep_last: 2
            summarizer: { type: llm, options: { max_tokens: 50 } }
      limits: { max_model_calls: %d }
      nodes:
        - { id: first, type: %s }
        - { id: second, type: expression }
      edges:
        - { from: __start__, to: first }
        - { from: first, to: second }
      """;

  @LocalServerPort int port;
  @Autowired Script script;
  private Service service = new Service(0);

  @BeforeEach
  void connects() {
    service = new Service(port);
  }

  private Value talk(String graph, int messages) {
    var said =
        IntStream.range(0, messages)
            .mapToObj(it -> "{\"role\":\"user\",\"content\":\"#%s said %d\"}".formatted(graph, it))
            .collect(Collectors.joining(","));
    return service.post(
        "/v1/runs?wait=30s",
        Json.read("{\"graph\":\"%s\",\"input\":{\"messages\":[%s]}}".formatted(graph, said)));
  }

  private static int size(Value run) {
    return ((ListValue) Service.at(run, "/output/messages")).size();
  }

  /// S0-9
  @Test
  void putsTheSummaryOfAModelInPlaceOfOldMessages() {
    service.graph(COMPACTED.formatted("summary", 5, 9, "expression"));
    script.says("summary", Reply.text(" They said four things. "));

    var run = talk("summary", 6);

    assertThat(Service.text(run, "/status")).isEqualTo("succeeded");
    assertThat(size(run)).isEqualTo(3);
    assertThat(Service.text(run, "/output/messages/0/content")).isEqualTo("They said four things.");
    assertThat(Service.at(run, "/output/messages/0/metadata/covers")).isEqualTo(Value.of(4L));
    var asked = script.asked("summary").getFirst();
    assertThat(asked.last("user"))
        .contains("user: #summary said 0", "said 3")
        .doesNotContain("said 4");
    assertThat(asked.text()).contains("\"max_tokens\":50");
    assertThat(Service.text(run, "/usage/nodes/0/node")).isEqualTo("__compact__:messages");
  }

  /// A summarizer that fails never holds the superstep and never drops history.
  @Test
  void losesNothingWhenTheModelFails() {
    service.graph(COMPACTED.formatted("summary-fails", 5, 9, "expression"));
    script.says(
        "summary-fails", Reply.error(503, "busy", "busy"), Reply.error(503, "busy", "busy"));

    var run = talk("summary-fails", 6);

    assertThat(Service.text(run, "/status")).isEqualTo("succeeded");
    assertThat(size(run)).isEqualTo(6);
  }

  /// Context length → compaction and one more try.
  @Test
  void shortensAConversationThatIsTooLongForTheModel() {
    service.graph(COMPACTED.formatted("too-long", 100, 9, "llm"));
    script.says(
        "too-long",
        Reply.error(400, "context_length_exceeded", "maximum context length is 8"),
        Reply.text("They said four things."),
        Reply.text("Indeed"));

    var run = talk("too-long", 6);

    assertThat(Service.text(run, "/status")).isEqualTo("succeeded");
    assertThat(script.asked("too-long")).hasSize(3);
    assertThat(script.asked("too-long").getLast().messages()).hasSize(3);
    assertThat(Service.text(run, "/output/messages/0/content")).isEqualTo("They said four things.");
    assertThat(Service.text(run, "/output/messages/3/content")).isEqualTo("Indeed");
    assertThat(size(run)).isEqualTo(4);
  }

  @Test
  void triesOnlyOnceMore() {
    var tooLong = Reply.error(400, "context_length_exceeded", "maximum context length is 8");
    service.graph(COMPACTED.formatted("still-too-long", 100, 9, "llm"));
    script.says("still-too-long", tooLong, Reply.text("Four things."), tooLong);

    var run = talk("still-too-long", 6);

    assertThat(Service.text(run, "/error/code")).isEqualTo("context_length_exceeded");
    assertThat(script.asked("still-too-long")).hasSize(3);
  }

  @Test
  void saysWhichModelIsNotThere() {
    assertThat(
            service.problems(
                COMPACTED
                    .formatted("summary-wrong", 5, 9, "expression")
                    .replace("type: llm,", "type: llm, model: nobody,")))
        .containsExactly("unknown_model /channels/messages/compaction/summarizer/model");
  }
}
