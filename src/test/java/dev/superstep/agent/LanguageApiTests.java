package dev.superstep.agent;

import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.json.Json;
import dev.superstep.state.ObjectValue;
import dev.superstep.state.Value;
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

  /// S1-10: carried like any field; nothing is called.
  @Test
  void carriesCallbacks() {
    service.graph(
        """
        name: language-callbacks
        template: agent
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

  /// S2-2: the three forms of `dispatch`, and what they are recognised by.
  @Test
  void dispatchesByExpression() {
    service.graph(
        """
        name: language-dispatch
        channels: { seen: { reducer: append } }
        nodes:
          - id: plan
            type: router
          - id: work
            type: expression
            config: { update: { seen: "{{ [dispatch.id, input, dispatch.metadata] }}" } }
        edges:
          - { from: __start__, to: plan }
          - from: plan
            route: "[dispatch('work', {'i': 1}, {'id': 'own', 'metadata': {'m': 2}}), dispatch('work', {'i': 3}, {'old': 4})]"
            targets: [work]
        """);

    var run = service.run("language-dispatch", ObjectValue.empty());

    assertThat(Service.at(run, "/output/seen/0")).isEqualTo(Value.of("own"));
    assertThat(Service.at(run, "/output/seen/1/i")).isEqualTo(Value.of(1L));
    assertThat(Service.at(run, "/output/seen/2/m")).isEqualTo(Value.of(2L));
    assertThat(Service.at(run, "/output/seen/5/old")).isEqualTo(Value.of(4L));
  }
}
