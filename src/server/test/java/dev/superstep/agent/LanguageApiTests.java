package dev.superstep.agent;

import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.json.Json;
import dev.superstep.state.value.ListValue;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.state.value.Value;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.test.web.server.LocalServerPort;

/// What definitions mean while they run.
@AgentTest
class LanguageApiTests {
  @LocalServerPort int port;
  private Service service = new Service(0);

  @BeforeEach
  void connects() {
    service = new Service(port);
  }

  /// E32: behind an error edge the error is there, whether the graph says anything about a prompt
  /// context or not.
  @ParameterizedTest
  @ValueSource(strings = {"", "context: { variables: { role: clerk } }"})
  void passesTheErrorOnOverAnErrorEdge(String context) {
    service.graph(
        """
        name: language-error
        %s
        nodes:
          - { id: fails, type: expression, config: { update: { x: "{{ state.missing }}" } } }
          - id: mends
            type: expression
            config: { update: { code: "{{ error.code }}", node: "{{ context.error.node }}", none: "{{ context.error.detail }}" } }
        edges:
          - { from: __start__, to: fails }
          - { from: fails, to: mends, type: error }
        """
            .formatted(context));

    var run = service.run("language-error", ObjectValue.empty());

    assertThat(Service.text(run, "/status")).as(run.toString()).isEqualTo("succeeded");
    assertThat(Service.at(run, "/output").toString())
        .isEqualTo("{\"code\":\"expression_failed\",\"node\":\"fails\",\"none\":null}");
  }

  /// Without an error edge there is no error, and no prompt context to look for it.
  @Test
  void hasNoErrorWhereNothingFailed() {
    service.graph(
        """
        name: language-fine
        nodes:
          - { id: a, type: expression, config: { update: { none: "{{ error == null }}" } } }
        edges:
          - { from: __start__, to: a }
        """);

    var run = service.run("language-fine", ObjectValue.empty());

    assertThat(Service.at(run, "/output/none")).isEqualTo(Value.TRUE);
  }

  /// S2-10: the nodes of the graph, without those of the engine.
  @Test
  void saysHowManyNodesTheGraphHas() {
    service.graph(
        """
        name: language-vertices
        nodes:
          - { id: a, type: expression, config: { update: { n: "{{ run.num_vertices }}" } } }
          - { id: b, type: router }
        edges:
          - { from: __start__, to: a, condition: "run.num_vertices == 2" }
          - { from: a, to: b }
        """);

    var run = service.run("language-vertices", ObjectValue.empty());

    assertThat(Service.at(run, "/output/n")).isEqualTo(Value.of(2L));
  }

  /// S1-10, C26a: carried like any field until there are webhooks; nothing is called.
  @Test
  void carriesCallbacks() {
    service.graph(
        """
        name: language-callbacks
        template: agent
        strict_channels: true
        nodes:
          - { id: a, type: router }
        edges:
          - { from: __start__, to: a }
        """);
    var callbacks =
        "{\"callback_meta\":{\"k\":1},\"callbacks\":{\"on_end\":\"http://127.0.0.1:1/end\"}}";

    var run = service.run("language-callbacks", (ObjectValue) Json.read(callbacks));

    assertThat(Service.text(run, "/status")).isEqualTo("succeeded");
    assertThat(Service.at(run, "/output/callbacks/on_end"))
        .isEqualTo(Value.of("http://127.0.0.1:1/end"));
    assertThat(Service.at(run, "/output/callback_meta/k")).isEqualTo(Value.of(1L));
    assertThat(Service.at(run, "/output/context")).isEqualTo(ObjectValue.empty());
  }

  /// S2-2, C28: the three forms of `dispatch`, beside `fan_out`, and what they are recognised by.
  @Test
  void dispatchesByExpression() {
    service.graph(
        """
        name: language-dispatch
        channels: { seen: { reducer: append } }
        nodes:
          - id: plan
            type: expression
            config:
              update:
                known: "{{ [is_dispatch(dispatch('work')), is_dispatch(dyn('work')), is_dispatches([dispatch('work'), dispatch('work', {})]), is_dispatches(['work'])] }}"
          - id: work
            type: expression
            config: { update: { seen: { id: "{{ dispatch.id }}", input: "{{ input }}", metadata: "{{ dispatch.metadata }}" } } }
        edges:
          - { from: __start__, to: plan }
          - from: plan
            route: "[dispatch('work'), dispatch('work', {'i': 1}), dispatch('work', {'i': 2}, {'id': 'own', 'metadata': {'m': 2}}), dispatch('work', {'i': 3}, {'old': 4})] + fan_out('work', [{'i': 5}])"
            targets: [work]
        """);

    var output = Service.at(service.run("language-dispatch", ObjectValue.empty()), "/output");

    assertThat(Service.at(output, "/known")).isEqualTo(Json.read("[true, false, true, false]"));
    assertThat(
            ((ListValue) Service.at(output, "/seen")).stream().map(it -> Service.at(it, "/input")))
        .containsExactly(
            Json.read("{}"),
            Json.read("{\"i\": 1}"),
            Json.read("{\"i\": 2}"),
            Json.read("{\"i\": 3}"),
            Json.read("{\"i\": 5}"));
    assertThat(Service.text(output, "/seen/2/id")).isEqualTo("own");
    assertThat(Service.at(output, "/seen/2/metadata")).isEqualTo(Json.read("{\"m\": 2}"));
    assertThat(Service.at(output, "/seen/3/metadata")).isEqualTo(Json.read("{\"old\": 4}"));
    assertThat(
            ((ListValue) Service.at(output, "/seen")).stream().map(it -> Service.text(it, "/id")))
        .doesNotHaveDuplicates();
  }

  /// S2-2: the old names are gone.
  @Test
  void knowsNoOldNamesOfDispatches() {
    for (var old : List.of("graph_send('a')", "send_to('a', {})", "is_send({})", "is_sends([])")) {
      assertThat(
              service.problems(
                  """
                  name: language-old
                  nodes: [{ id: a, type: expression, config: { update: { x: "{{ %s }}" } } }]
                  edges: [{ from: __start__, to: a }]
                  """
                      .formatted(old)))
          .as(old)
          .containsExactly("invalid_expression /nodes/0/config/update/x");
    }
  }
}
