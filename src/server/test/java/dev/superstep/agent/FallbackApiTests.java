package dev.superstep.agent;

import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.json.Json;
import dev.superstep.state.value.ListValue;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.state.value.Value;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.boot.test.web.server.LocalServerPort;

/// Nodes with several models. `unsound` always answers 503, to every test of this service: after
/// the first call it is asked last for half a minute.
@AgentTest
class FallbackApiTests {
  @LocalServerPort int port;
  private Service service = new Service(0);

  @BeforeEach
  void connects() {
    service = new Service(port);
  }

  private static String graph(String name, String config) {
    return """
    name: %s
    channels: { messages: { reducer: messages } }
    nodes: [{ id: llm, type: llm, config: { %s } }]
    """
        .formatted(name, config);
  }

  @Test
  void recordsWhichModelHasAnswered() {
    service.graph(graph("fallback-records", "models: [unsound, with-price]"));

    var run = service.say("fallback-records", "hello");

    assertThat(Service.text(run, "/status")).as(run.toString()).isEqualTo("succeeded");
    var metadata = Service.at(run, "/output/messages/1/metadata");
    assertThat(Service.text(metadata, "/answered_by")).isEqualTo("with-price");
    assertThat(Service.text(metadata, "/passed_over/0/model")).isEqualTo("unsound");
    assertThat(Service.text(metadata, "/model")).isEqualTo("with-price-1");
    run = service.get("/v1/runs/" + Service.text(run, "/id"));
    assertThat(Service.text(run, "/usage/cost")).isEqualTo("0.0000003");
    var events =
        (ListValue)
            Service.at(
                service.get("/v1/runs/%s/events?type=custom".formatted(Service.text(run, "/id"))),
                "/items");
    assertThat(events.size()).isEqualTo(1);
    assertThat(Service.text(events.get(0), "/data/name")).isEqualTo("model.fallback");
    assertThat(Service.text(events.get(0), "/data/data/to")).isEqualTo("with-price");
  }

  /// The first call finds out, the second one asks the other model at once.
  @Test
  void asksLastWhatHasFailed() {
    service.graph(graph("fallback-cools", "models: [unsound, without-price]"));
    service.say("fallback-cools", "hello");

    var run = service.say("fallback-cools", "hello");

    assertThat(Service.text(run, "/output/messages/1/metadata/passed_over/0/code"))
        .isEqualTo("model_cooling");
    run = service.get("/v1/runs/" + Service.text(run, "/id"));
    assertThat(Service.at(run, "/usage/model_calls")).isEqualTo(Value.of(1L));
  }

  /// S0-8: a summary is written by the first that can.
  @Test
  void summarizesWithAList() {
    service.graph(
        """
        name: fallback-summary
        channels: { messages: { reducer: messages } }
        nodes:
          - { id: shorten, type: compact, config: { channel: messages, keep_last: 1, summarizer: { type: llm, models: [unsound, with-price] } } }
        """);
    var said =
        Json.read(
            """
            {"messages": [{"role": "user", "content": "one"}, {"role": "user", "content": "two"},
                          {"role": "user", "content": "three"}]}
            """);

    var run = service.run("fallback-summary", (ObjectValue) said);

    assertThat(Service.text(run, "/status")).as(run.toString()).isEqualTo("succeeded");
    assertThat(Service.text(run, "/output/messages/0/content")).isEqualTo("fine");
  }

  @Test
  void refusesListsForSummariesThatCannotWork() {
    var graph =
        """
        name: f
        channels: { messages: { reducer: messages } }
        nodes: [{ id: shorten, type: compact, config: { channel: messages, keep_last: 1, summarizer: { type: llm, %s } } }]
        """;

    assertThat(service.problems(graph.formatted("models: [with-price, nobody]")))
        .singleElement()
        .asString()
        .startsWith("unknown_model")
        .endsWith("/summarizer/models/1");
    assertThat(service.problems(graph.formatted("model: with-price, models: [with-cache]")))
        .singleElement()
        .asString()
        .startsWith("not_applicable");
  }

  @Test
  void takesTemplatesInTheList() {
    service.graph(
        graph("fallback-template", "models: [\"{{ 'with' + 'out-price' }}\", with-price]"));

    var run = service.say("fallback-template", "hello");

    assertThat(Service.text(run, "/output/messages/1/metadata/answered_by"))
        .isEqualTo("without-price");
  }

  @Test
  void refusesListsThatCannotWork() {
    assertThat(service.messages(graph("f", "models: [with-price, wiht-cache]")))
        .singleElement()
        .asString()
        .startsWith("unknown_model /nodes/0/config/models/1")
        .contains("did you mean 'with-cache'");
    assertThat(service.problems(graph("f", "models: [with-price, with-price]")))
        .containsExactly("duplicate /nodes/0/config/models/1");
    assertThat(service.problems(graph("f", "models: [with-price, guarded]")))
        .containsExactly("model_not_allowed /nodes/0/config/models/1");
    assertThat(service.problems(graph("f", "model: with-price, models: [with-cache]")))
        .containsExactly("not_applicable /nodes/0/config/model");
    assertThat(service.problems(graph("f", "fallback_wait: 1s, fallback_on: [node_timeout]")))
        .containsExactly(
            "not_applicable /nodes/0/config/fallback_on",
            "not_applicable /nodes/0/config/fallback_wait");
    assertThat(service.problems(graph("f", "models: [with-price], fallback_on: [invalid_output]")))
        .containsExactly("invalid_config /nodes/0/config/fallback_on/0");
    assertThat(service.problems(graph("f", "models: []"))).hasSize(1);
  }

  /// The model that talks summarises, too.
  @Test
  void summarizesWithTheFirstOfAnAgent() {
    service.graph(
        """
        name: fallback-agent
        template: agent
        nodes: [{ id: llm, type: llm, config: { models: [with-price, without-price] } }]
        """);

    var definition = service.get("/v1/graphs/fallback-agent");
    assertThat(
            Service.text(definition, "/definition/channels/messages/compaction/summarizer/model"))
        .isEqualTo("with-price");
  }

  @Test
  void answersForAListInTests() {
    var report =
        service.test(
            graph("fallback-mocked", "models: [unsound, with-price]")
                + """
                tests:
                  - name: mocked
                    input: { messages: [{ role: user, content: hi }] }
                    mocks: { llm: fine }
                    expect: { status: succeeded }
                """);

    assertThat(report.toString()).contains("\"passed\":true").doesNotContain("\"passed\":false");
  }
}
