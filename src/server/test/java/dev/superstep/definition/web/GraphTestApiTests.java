package dev.superstep.definition.web;

import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.state.value.ListValue;
import dev.superstep.state.value.Value;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.boot.test.web.server.LocalServerPort;

@GraphApiTest
class GraphTestApiTests {
  @LocalServerPort private int port;
  private GraphApi api;

  @BeforeEach
  void connect() {
    api = new GraphApi(port);
  }

  private static String graph(String name, String expected) {
    return """
    name: %s
    nodes:
      - { id: ask, type: llm, config: { prompt: "Hello {{ state.name }}", messages: "", output_to: answer } }
    edges:
      - { from: __start__, to: ask }
    tests:
      - { name: greets, input: { name: Ada }, mocks: { ask: Hello! }, expect: { path: [ask], output: { answer: "%s" } } }
    """
        .formatted(name, expected);
  }

  @Test
  void runsTheTestsOfADefinitionAndStoresNothing() {
    var answer = api.post("/v1/graphs/test", GraphApi.YAML, graph("tried", "Bye!")).hasStatus(200);
    assertThat(answer.at("/passed")).isEqualTo(Value.FALSE);
    assertThat(answer.text("/tests/0/status")).isEqualTo("succeeded");
    assertThat(answer.text("/tests/0/path")).isEqualTo("[[\"ask\"]]");
    assertThat(answer.text("/tests/0/calls/ask")).isEqualTo("1");
    assertThat(answer.text("/tests/0/failures/0/pointer"))
        .isEqualTo("/tests/0/expect/output/answer");
    assertThat(answer.text("/tests/0/failures/0/expected")).isEqualTo("Bye!");
    assertThat(answer.text("/tests/0/failures/0/actual")).isEqualTo("Hello!");
    api.get("/v1/graphs/tried").hasStatus(404);
  }

  @Test
  void refusesADefinitionThatCouldNotBePosted() {
    var wrong = graph("wrong", "x").replace("ask: Hello!", "aks: Hello!");
    var answer = api.post("/v1/graphs/test", GraphApi.YAML, wrong).hasStatus(422);
    assertThat(answer.text("/code")).isEqualTo("invalid_definition");
    assertThat(answer.text("/errors/0/pointer")).isEqualTo("/tests/0/mocks/aks");
  }

  @Test
  void storesNothingWhoseTestsFailIfAskedTo() {
    var failing = graph("guarded", "Bye!");
    var answer = api.post("/v1/graphs?test=true", GraphApi.YAML, failing).hasStatus(422);
    assertThat(answer.text("/code")).isEqualTo("tests_failed");
    assertThat(answer.text("/errors/0/pointer")).isEqualTo("/tests/0/expect/output/answer");
    assertThat(answer.text("/errors/0/message")).startsWith("greets: ");
    api.get("/v1/graphs/guarded").hasStatus(404);
    api.post("/v1/graphs?test=false", GraphApi.YAML, failing).hasStatus(201);
    api.post("/v1/graphs?test=true", GraphApi.YAML, graph("guarded", "Hello!")).hasStatus(200);
  }

  @Test
  void runsTheTestsThatWerePostedLastWithAVersion() {
    api.postGraph(graph("kept", "Bye!")).hasStatus(201);
    assertThat(api.post("/v1/graphs/kept/test", GraphApi.JSON, "").hasStatus(200).at("/passed"))
        .isEqualTo(Value.FALSE);
    api.postGraph(graph("kept", "Hello!")).hasStatus(200);
    var answer = api.post("/v1/graphs/kept/test?version=1", GraphApi.JSON, "").hasStatus(200);
    assertThat(answer.at("/passed")).isEqualTo(Value.TRUE);
    assertThat(answer.text("/graph")).isEqualTo("kept");
    assertThat(api.get("/v1/graphs/kept").text("/definition")).doesNotContain("greets");
    api.post("/v1/graphs/kept/test?version=2", GraphApi.JSON, "").hasStatus(404);
    api.post("/v1/graphs/unknown/test", GraphApi.JSON, "").hasStatus(404);
  }

  @Test
  void hasNothingToRunWithoutTests() {
    api.postGraph(graph("untested", "x").replaceAll("(?s)tests:.*", "")).hasStatus(201);
    var answer = api.post("/v1/graphs/untested/test", GraphApi.JSON, "").hasStatus(200);
    assertThat(answer.at("/passed")).isEqualTo(Value.TRUE);
    assertThat(answer.at("/tests")).isEqualTo(ListValue.empty());
  }
}
