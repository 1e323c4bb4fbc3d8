package dev.superstep.agent;

import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.json.Json;
import dev.superstep.model.stub.Reply;
import dev.superstep.state.value.ListValue;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.state.value.Value;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.web.server.LocalServerPort;

/// `config.result` of models, tools, people and subgraphs (definitions.md, *Additions*).
@AgentTest
class ResultApiTests {
  @LocalServerPort int port;
  @Autowired Script script;
  private Service service = new Service(0);

  @BeforeEach
  void connects() {
    service = new Service(port);
    service.graph(
        """
        name: result-child
        nodes: [{ id: n, type: expression, config: { update: { n: 4 } } }]
        edges: [{ from: __start__, to: n }]
        """);
  }

  /// Plan and fan out in one node; a grader that keeps its item beside the model's answer.
  @Test
  void routesAndKeepsItemsByAnswersOfModels() {
    service.graph(
        """
        name: result-grade
        channels:
          messages: { reducer: messages }
          relevant: { reducer: append }
        nodes:
          - id: plan
            type: llm
            config:
              messages: ""
              prompt: "#grade-plan topics"
              output_schema: { type: object, required: [topics], properties: { topics: { type: array } } }
              result: { dispatch: "{{ fan_out('grade', response.topics, 'topic') }}" }
            targets: [grade]
            if_empty: none
          - id: grade
            type: llm
            max_concurrency: 1
            config:
              prompt: "#grade-each {{ input.topic }}"
              output_schema: { type: object, required: [ok], properties: { ok: { type: boolean } } }
              result: { update: { relevant: "{{ response.ok ? [input.topic] : [] }}" } }
          - { id: none, type: expression, config: { update: { empty: true } } }
        edges:
          - { from: __start__, to: plan }
        """);
    script.says(
        "grade-plan", Reply.text("{\"topics\": [\"a\", \"b\"]}"), Reply.text("{\"topics\": []}"));
    script.says("grade-each", Reply.text("{\"ok\": false}"), Reply.text("{\"ok\": true}"));

    var run = service.run("result-grade", ObjectValue.empty());

    assertThat(Service.at(run, "/output")).isEqualTo(Json.read("{\"relevant\":[\"b\"]}"));
    assertThat(Service.at(service.run("result-grade", ObjectValue.empty()), "/output/empty"))
        .isEqualTo(Value.TRUE);
  }

  /// The turn in which the model asks for tools is no answer; the messages are kept in each.
  @Test
  void waitsForTheAnswerBehindTheTools() {
    service.graph(
        """
        name: result-react
        channels:
          messages: { reducer: messages }
          seen: { reducer: append }
        nodes:
          - id: llm
            type: llm
            config: { tools: [weather], result: { update: { answer: "{{ response }}" }, goto: [__end__] } }
          - id: tools
            type: tool
            config: { result: { update: { seen: "{{ response }}" } } }
        edges:
          - { from: __start__, to: llm }
          - { from: llm, to: tools }
          - { from: tools, to: llm }
        """);
    script.says(
        "react-result",
        Reply.calls(
            new Reply.Call("c1", "weather", "{\"city\":\"Oslo\"}"),
            new Reply.Call("c2", "weather", "nothing")),
        Reply.text("Cold"));

    var output = Service.at(service.say("result-react", "#react-result"), "/output");

    assertThat(Service.text(output, "/answer")).isEqualTo("Cold");
    assertThat(((ListValue) Service.at(output, "/messages")).size()).isEqualTo(5);
    assertThat(Service.text(output, "/seen/0/id")).isEqualTo("c1");
    assertThat(Service.text(output, "/seen/0/name")).isEqualTo("weather");
    assertThat(Service.text(output, "/seen/0/content")).contains("sunny in Oslo");
    assertThat(Service.at(output, "/seen/0/is_error")).isEqualTo(Value.FALSE);
    assertThat(Service.at(output, "/seen/1/is_error")).isEqualTo(Value.TRUE);
    assertThat(((ListValue) Service.at(output, "/seen")).size()).isEqualTo(2);
  }

  /// The answer is rendered when the run resumes, on what the task had then; a failure is one of
  /// the task, and keeps the answer for the next attempt.
  @Test
  void rendersTheAnswersOfPeople() {
    service.graph(
        """
        name: result-ask
        nodes:
          - id: ask
            type: human
            config:
              answer_schema: { type: integer }
              result: { update: { part: "{{ state.total / response }}" }, goto: "{{ response > 1 ? ['more'] : [] }}" }
            targets: [more]
          - { id: more, type: expression, config: { update: { went: true } } }
        edges: [{ from: __start__, to: ask }]
        """);
    var asked = service.run("result-ask", (ObjectValue) Json.read("{\"total\": 10}"));

    var failed = service.answer(asked, "0");

    assertThat(Service.text(failed, "/status")).isEqualTo("failed");
    assertThat(Service.text(failed, "/error/message")).startsWith("/result/update/part: ");
    var again = service.run("result-ask", (ObjectValue) Json.read("{\"total\": 10}"));
    assertThat(Service.at(service.answer(again, "5"), "/output"))
        .isEqualTo(Json.read("{\"part\":2,\"total\":10,\"went\":true}"));
  }

  @Test
  void takesTheOutputOfASubgraphByEitherName() {
    for (var key : new String[] {"result", "output"}) {
      service.graph(calling("result-parent", key + ": { update: { got: '{{ response.n }}' } }"));

      assertThat(Service.at(service.run("result-parent", ObjectValue.empty()), "/output"))
          .isEqualTo(Json.read("{\"got\":4}"));
    }
  }

  private static String calling(String name, String config) {
    return """
    name: %s
    nodes: [{ id: call, type: subgraph, config: { graph: result-child, %s } }]
    edges: [{ from: __start__, to: call }]
    """
        .formatted(name, config);
  }

  @Test
  void refusesBothFormsAndNamesThatThereAreNot() {
    assertThat(
            service.problems(
                """
                name: result-wrong
                strict_channels: true
                channels: { a: {} }
                nodes:
                  - { id: l, type: llm, config: { prompt: hi, output_to: a, result: { update: { a: 1 } } } }
                  - { id: h, type: human, config: { answer_to: a, result: { update: { b: 1 } } } }
                  - { id: s, type: subgraph, config: { graph: result-child, output: {}, result: {} } }
                  - { id: x, type: human, config: { result: { goto: ["{{ 'nobody' }}"], interrupt: {} } } }
                  - { id: y, type: human, config: { result: { update: {} } }, targets: [x], if_empty: x }
                edges:
                  - { from: __start__, to: [l, h, s, x, y] }
                """))
        .containsExactlyInAnyOrder(
            "not_applicable /nodes/0/config/output_to",
            "not_applicable /nodes/1/config/answer_to",
            "unknown_channel /nodes/1/config/result/update/b",
            "not_applicable /nodes/2/config/output",
            "unknown_field /nodes/3/config/result/interrupt",
            "unknown_node /nodes/3/config/result/goto/0",
            "not_applicable /nodes/4/targets",
            "not_applicable /nodes/4/if_empty");
  }
}
