package dev.superstep.run.web;

import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.client.model.Run;
import dev.superstep.http.ApiTest;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.test.web.server.LocalServerPort;

/// A start does not look its graph up, and yet finds what was posted or deleted since, here or on
/// another replica: neither tells those that remember the graph.
@ApiTest
@ParameterizedClass
@ValueSource(strings = {"30s", "0s"})
class RememberedGraphApiTests {
  private static int graphs;

  @Parameter private String wait = "";
  @LocalServerPort private int port;
  private Api api = new Api(0);
  private String name = "";

  @BeforeEach
  void startsAGraphOften() {
    api = new Api(port);
    name = "remembered-" + ++graphs;
    api.graph(graph("1", "integer"));
    for (int i = 0; i < 3; i++) {
      assertThat(said(run(3))).isEqualTo("1 3");
    }
  }

  private String graph(String version, String type) {
    return graph(version)
        + "input: { schema: { type: object, properties: { n: { type: %s } } } }%n".formatted(type);
  }

  /// Says its version and what it was given.
  private String graph(String version) {
    return """
    name: %s
    nodes:
      - { id: a, type: expression, config: { update: { said: "%s {{ state.n }}" } } }
    edges:
      - { from: __start__, to: a }
    """
        .formatted(name, version);
  }

  private Run run(Object n) {
    return ended(api.runs.startRun(Api.start(name, Map.of("n", n)), null, wait));
  }

  private Run ended(@Nullable Run run) {
    assertThat(run).isNotNull();
    return api.runs.getRun(run.getId(), null, "30s");
  }

  private static @Nullable Object said(Run run) {
    return run.getOutput() instanceof Map<?, ?> output ? output.get("said") : null;
  }

  @Test
  void startsAVersionThatWasPostedSince() {
    api.graph(graph("2", "integer"));

    var run = run(3);

    assertThat(run.getVersion()).isEqualTo(2);
    assertThat(said(run)).isEqualTo("2 3");
    assertThat(run(3).getVersion()).isEqualTo(2);
  }

  @Test
  void checksTheInputAgainstTheVersionThatWasPostedSince() {
    api.graph(graph("2", "string"));

    assertThat(said(run("three"))).isEqualTo("2 three");
    Api.assertRefused(() -> run(3), 422, "invalid_input");
  }

  /// What the version that is remembered refuses later than its schema does.
  @Test
  void foldsTheInputByTheVersionThatWasPostedSince() {
    name = "remembered-" + ++graphs;
    api.graph(graph("1") + "channels: { n: { reducer: sum } }\n");
    assertThat(run(3).getVersion()).isEqualTo(1);
    assertThat(run(3).getVersion()).isEqualTo(1);
    api.graph(graph("2"));

    assertThat(run("three").getVersion()).isEqualTo(2);
    assertThat(said(run("three"))).isEqualTo("2 three");
  }

  @Test
  void findsAVersionByItsNumberThatWasPostedSince() {
    api.graph(graph("2", "integer"));

    var run = api.runs.startRun(Api.start(name, Map.of("n", 3)).version(2), null, wait);

    assertThat(said(ended(run))).isEqualTo("2 3");
  }

  @Test
  void doesNotStartAGraphThatWasDeletedSince() {
    assertThat(api.send("DELETE", "/v1/graphs/" + name, "application/json", "").statusCode())
        .isEqualTo(204);

    Api.assertRefused(() -> run(3), 404, "graph_not_found");
  }
}
