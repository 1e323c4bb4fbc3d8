package dev.superstep.definition.web;

import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.state.value.ListValue;
import dev.superstep.state.value.Value;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.boot.test.web.server.LocalServerPort;

@GraphApiTest
class CatalogApiTests {
  @LocalServerPort private int port;
  private GraphApi api;

  @BeforeEach
  void connect() {
    api = new GraphApi(port);
  }

  @Test
  void listsNodeTypesWithTheirSchemas() {
    var types = api.get("/v1/node-types").hasStatus(200);
    assertThat(types.body())
        .contains("\"name\":\"expression\"", "\"name\":\"human\"", "\"name\":\"llm\"");
    assertThat(types.body())
        .contains("counts in the usage of the calling run and draws on its budget");
    assertThat(types.text("/items/0/config_schema")).contains("\"type\":\"object\"");
    assertThat(api.get("/v1/node-types?limit=1").text("/next_cursor")).isNotBlank();
  }

  /// E16.
  @Test
  void listsTheReducers() {
    var reducers = api.get("/v1/reducers").hasStatus(200);
    assertThat(((ListValue) reducers.at("/items")).size()).isEqualTo(14);
    assertThat(reducers.text("/items/0/name")).isEqualTo("last_value");
  }

  @Test
  void listsFunctions() {
    assertThat(api.get("/v1/functions").hasStatus(200).at("/items")).isInstanceOf(ListValue.class);
  }

  @Test
  void evaluatesExpressions() {
    assertThat(
            evaluate("{\"expression\": \"state.n + 1\", \"variables\": {\"state\": {\"n\": 1}}}"))
        .isEqualTo(Value.of(2));
    assertThat(evaluate("{\"expression\": \"null\"}")).isEqualTo(Value.NULL);
  }

  @Test
  void saysWhereAnExpressionIsWrong() {
    var answer =
        api.post("/v1/expressions/evaluate", GraphApi.JSON, "{\"expression\": \"1 +\\n* 2\"}")
            .hasStatus(422);
    assertThat(answer.text("/code")).isEqualTo("invalid_expression");
    assertThat(answer.text("/errors/0/pointer")).isEqualTo("/expression");
    assertThat(answer.text("/errors/0/line")).isEqualTo("2");
  }

  @Test
  void saysWhyAnExpressionFails() {
    var answer =
        api.post("/v1/expressions/evaluate", GraphApi.JSON, "{\"expression\": \"state.missing\"}")
            .hasStatus(422);
    assertThat(answer.text("/errors/0/code")).isEqualTo("expression_failed");
  }

  @Test
  void saysWhereAnExpressionFails() {
    var answer =
        api.post("/v1/expressions/evaluate", GraphApi.JSON, "{\"expression\": \"1 +\\n  1 / 0\"}")
            .hasStatus(422);
    assertThat(answer.at("/errors/0/line")).isEqualTo(Value.of(2));
    assertThat(answer.at("/errors/0/column")).isEqualTo(Value.of(5));
  }

  @Test
  void refusesVariablesThatNoExpressionCanName() {
    var answer =
        api.post(
                "/v1/expressions/evaluate",
                GraphApi.JSON,
                "{\"expression\": \"1\", \"variables\": {\"a-b\": 1}}")
            .hasStatus(422);
    assertThat(answer.text("/code")).isEqualTo("invalid_value");
    assertThat(answer.text("/detail")).contains("variables").doesNotContain("compile");
    assertThat(answer.text("/errors/0/pointer")).isEqualTo("/variables/a-b");
  }

  @Test
  void saysThatAnIntegerIsTooLarge() {
    var answer =
        api.post(
                "/v1/expressions/evaluate",
                GraphApi.JSON,
                "{\"expression\": \"9223372036854775808\"}")
            .hasStatus(422);
    assertThat(answer.text("/errors/0/message")).doesNotContain("For input string").contains("64");
  }

  @Test
  void refusesAnEvaluationWithoutExpression() {
    assertThat(
            api.post("/v1/expressions/evaluate", GraphApi.JSON, "{}")
                .hasStatus(422)
                .text("/errors/0/pointer"))
        .isEqualTo("/expression");
  }

  @Test
  void drawsAStoredGraph() {
    api.postGraph(
            """
            name: drawn
            nodes: [{id: a, type: router}]
            edges: [{from: __start__, to: a}]
            """)
        .hasStatus(201);
    var mermaid = api.get("/v1/graphs/drawn/diagram").hasStatus(200);
    assertThat(mermaid.header("Content-Type")).startsWith("text/plain");
    assertThat(mermaid.body()).startsWith("flowchart TD\n");
    assertThat(api.get("/v1/graphs/drawn/diagram?version=1&format=mermaid").body())
        .isEqualTo(mermaid.body());
    assertThat(
            api.get("/v1/graphs/drawn/diagram?format=dot").hasStatus(422).text("/errors/0/message"))
        .isEqualTo("must be one of mermaid");
    api.get("/v1/graphs/drawn/diagram?version=7").hasStatus(404);
  }

  @Test
  void describesDefinitionsInTheOpenApiDocument() {
    var document = api.get("/v3/api-docs").hasStatus(200);
    assertThat(document.at("/components/schemas/NodeDefinition/properties/retry/$ref"))
        .isEqualTo(Value.of("#/components/schemas/RetryDefinition"));
    assertThat(
            document.text(
                "/paths/~1v1~1graphs/post/requestBody/content/application~1yaml/schema/$ref"))
        .isEqualTo("#/components/schemas/GraphDefinition");
    assertThat(document.text("/paths/~1v1~1graphs/post/operationId")).isEqualTo("createGraph");
  }

  private Value evaluate(String body) {
    return api.post("/v1/expressions/evaluate", GraphApi.JSON, body).hasStatus(200).at("/value");
  }
}
