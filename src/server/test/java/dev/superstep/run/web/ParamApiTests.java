package dev.superstep.run.web;

import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.client.model.AnswerInterrupt;
import dev.superstep.client.model.ForkRun;
import dev.superstep.client.model.Run;
import dev.superstep.client.model.Run.StatusEnum;
import dev.superstep.http.ApiTest;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.boot.test.web.server.LocalServerPort;

/// Params of graphs: where runs get them from, and that they keep them.
@ApiTest
class ParamApiTests {
  @LocalServerPort private int port;
  private Api api = new Api(0);

  @BeforeEach
  void connects() {
    api = new Api(port);
    api.graph(
        """
        name: api-params
        params:
          greeting: { schema: { type: string, maxLength: 10 }, description: How it begins }
          tries: { default: 1 }
          name:
        context: { template: "{{ params.greeting }} from the template" }
        nodes:
          - id: say
            type: expression
            config: { update: { said: "{{ params.greeting }} {{ params.name }} {{ params.tries + 1 }}" } }
          - { id: ask, type: human, config: { payload: "{{ params.name }}?" } }
          - { id: end, type: expression, config: { update: { end: "{{ params }}" } } }
        edges:
          - { from: __start__, to: say }
          - { from: say, condition: "params.tries < 5", to: ask }
          - { from: ask, to: end }
        """);
  }

  private Run start(Map<String, Object> params) {
    var request = Api.start("api-params", Map.of()).params(params);
    return api.runs.startRun(request, null, "30s");
  }

  @Test
  void areTakenFromTheRequestTheOperatorAndTheDefault() {
    var run = start(Map.of("name", "Ada"));
    assertThat(run.getParams()).isEqualTo(Map.of("greeting", "Hello", "tries", 3, "name", "Ada"));
    assertThat(said(run)).isEqualTo("Hello Ada 4");
    assertThat(run.getInterrupts().getFirst().getPayload()).isEqualTo("Ada?");
    assertThat(said(start(Map.of("name", "Bob", "greeting", "Hi", "tries", 5))))
        .isEqualTo("Hi Bob 6");
  }

  /// The run is claimed from the database once it is answered.
  @Test
  void stayWithTheRun() {
    var run = start(Map.of("name", "Ada", "greeting", "Hey"));
    var question = run.getInterrupts().getFirst().getId();
    var ended =
        api.interrupts.answerInterrupt(question, new AnswerInterrupt().value("yes"), null, "30s");
    assertThat(ended.getStatus()).isEqualTo(StatusEnum.SUCCEEDED);
    assertThat(ended.getParams()).isEqualTo(run.getParams());
    assertThat(state(ended).get("end")).isEqualTo(run.getParams());
  }

  @Test
  void areThoseOfTheSourceInAFork() {
    var run = start(Map.of("name", "Ada", "greeting", "Hey"));
    var fork = api.runs.forkRun(run.getId(), new ForkRun().checkpoint(0), null, "30s");
    assertThat(fork.getParams()).isEqualTo(run.getParams());
    assertThat(said(fork)).isEqualTo("Hey Ada 4");
  }

  @Test
  void areCompletedInAForkToAVersionThatHasMore() {
    api.graph(forked("{ old: { default: 1 }, kept: { default: 1 } }"));
    var request = Api.start("api-params-forked", Map.of()).params(Map.of("old", 2, "kept", 2));
    var run = api.runs.startRun(request, null, "30s");
    api.graph(forked("{ kept: { default: 1 }, more: { default: 3 } }"));
    var fork = new ForkRun().checkpoint(0).version(run.getVersion() + 1);
    assertThat(api.runs.forkRun(run.getId(), fork, null, "30s").getParams())
        .isEqualTo(Map.of("kept", 2, "more", 3));
    api.graph(forked("{ kept: { schema: { type: string } } }"));
    var refused = new ForkRun().checkpoint(0).version(run.getVersion() + 2);
    Api.assertRefused(
        () -> api.runs.forkRun(run.getId(), refused, null, null), 422, "invalid_value");
  }

  private static String forked(String params) {
    return """
    name: api-params-forked
    params: %s
    nodes: [{ id: say, type: expression, config: { update: { all: "{{ params }}" } } }]
    edges: [{ from: __start__, to: say }]
    """
        .formatted(params);
  }

  @Test
  void areRefusedWithTheReasonForEach() {
    var refused =
        api.post(
            "/v1/runs",
            """
            {"graph": "api-params", "input": {}, "params": {"greeting": "far too long", "nme": 1}}
            """);
    assertThat(refused.statusCode()).isEqualTo(422);
    assertThat(refused.body())
        .contains("/params/greeting", "/params/nme", "it has greeting, name, tries")
        .contains("superstep.params.api-params.name (SUPERSTEP_PARAMS_APIPARAMS_NAME)");
  }

  @Test
  void nameTheSettingOfTheOperatorThatDoesNotFit() {
    api.graph(
        """
        name: api-params-broken
        params: { tries: { default: 1 } }
        nodes: [{ id: say, type: expression, config: { update: { n: "{{ params.tries }}" } } }]
        edges: [{ from: __start__, to: say }]
        """);
    var refused = api.post("/v1/runs", "{\"graph\": \"api-params-broken\", \"input\": {}}");
    assertThat(refused.statusCode()).isEqualTo(422);
    assertThat(refused.body())
        .contains("superstep.params.api-params-broken.tries", "correct the setting");
    var asked =
        api.post(
            "/v1/runs?wait=30s",
            "{\"graph\": \"api-params-broken\", \"input\": {}, \"params\": {\"tries\": 2}}");
    assertThat(asked.statusCode()).isEqualTo(200);
  }

  @Test
  void areTheChildsOwnInAGraphThatIsCalled() {
    api.graph(
        """
        name: api-params-child
        params: { word: { default: none } }
        nodes: [{ id: say, type: expression, config: { update: { word: "{{ params.word }}" } } }]
        edges: [{ from: __start__, to: say }]
        output: { channels: [word] }
        """);
    api.graph(
        """
        name: api-params-parent
        params: { word: { default: from the parent } }
        nodes:
          - id: call
            type: subgraph
            config: { graph: api-params-child, input: {}, output: { update: { got: "{{ response.word }}" } } }
        edges: [{ from: __start__, to: call }]
        """);
    assertThat(state(api.run("api-params-parent", Map.of())).get("got"))
        .isEqualTo("from the operator");
  }

  @Test
  void showNothingInRunsWithoutParams() {
    api.graph(Graphs.counter("api-params-none", 1));
    var run = api.run("api-params-none", Map.of());
    assertThat(api.get("/v1/runs/" + run.getId()).body()).doesNotContain("\"params\"");
  }

  private @Nullable Object said(Run run) {
    return state(run).get("said");
  }

  private Map<String, Object> state(Run run) {
    return api.state.getRunState(run.getId(), null, null, null, null).getState();
  }
}
