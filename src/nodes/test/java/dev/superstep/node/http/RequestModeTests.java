package dev.superstep.node.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.tuple;

import dev.superstep.definition.type.InvalidNodeException;
import dev.superstep.graph.Pointer;
import dev.superstep.graph.Violation;
import dev.superstep.json.Json;
import dev.superstep.node.TestCall;
import dev.superstep.state.value.Value;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RequestModeTests {
  private final TestServer server = new TestServer();
  private final TestNodes nodes;

  RequestModeTests() throws Exception {
    nodes = TestNodes.onLoopback();
  }

  @AfterEach
  void close() throws Exception {
    nodes.close();
    server.close();
  }

  @Test
  void sendsWhatTheTemplatesSay() throws Exception {
    server.on("/users", 200, "{}", "Content-Type", "application/json");
    nodes.done(
        TestCall.plain().state("{\"id\": 7, \"token\": \"t\"}"),
        "{'mode': 'request', 'method': 'PUT', 'url': '%s/{{ state.id }}?x=1',"
            + " 'headers': {'Authorization': 'Bearer {{ state.token }}'},"
            + " 'body': {'user': '{{ state.id }}'}}",
        server.url("/users"));
    var request = server.requests.getFirst();
    assertThat(request.method()).isEqualTo("PUT");
    assertThat(request.path()).isEqualTo("/users/7?x=1");
    assertThat(request.header("Authorization")).isEqualTo("Bearer t");
    assertThat(request.header("Content-type")).isEqualTo("application/json");
    assertThat(request.header("Idempotency-key")).isEqualTo("key-1");
    assertThat(request.json()).isEqualTo(Json.read("{\"user\": 7}"));
  }

  @Test
  void sendsTextAsItIs() throws Exception {
    server.on("/text", 200, "");
    nodes.done(
        TestCall.plain(),
        "{'mode': 'request', 'method': 'POST', 'url': '%s', 'body': 'a=1',"
            + " 'headers': {'content-type': 'application/x-www-form-urlencoded'}}",
        server.url("/text"));
    assertThat(server.requests.getFirst().body()).isEqualTo("a=1");
    assertThat(server.requests.getFirst().header("Content-type"))
        .isEqualTo("application/x-www-form-urlencoded");
  }

  @Test
  void getsByDefaultWithoutABody() throws Exception {
    server.on("/get", 200, "");
    nodes.done(TestCall.plain(), "{'mode': 'request', 'url': '%s'}", server.url("/get"));
    assertThat(server.requests.getFirst().method()).isEqualTo("GET");
    assertThat(server.requests.getFirst().body()).isEmpty();
  }

  @Test
  void makesTheResultFromTheResponse() throws Exception {
    server.on(
        "/r",
        201,
        "{\"name\": \"cat\"}",
        "Content-Type",
        "application/json",
        "X-Many",
        "1",
        "X-Many",
        "2");
    var result =
        nodes.done(
            TestCall.plain().state("{\"a\": 1}"),
            "{'mode': 'request', 'url': '%s', 'result': {'update': {"
                + "'name': '{{ response.body.name }}', 'status': '{{ response.status }}',"
                + "'many': '{{ response.headers[\\'x-many\\'] }}', 'old': '{{ state.a }}'}}}",
            server.url("/r"));
    assertThat(result.change().update())
        .isEqualTo(
            Json.read("{\"name\": \"cat\", \"status\": 201, \"many\": \"1, 2\", \"old\": 1}"));
  }

  /// As a human or a subgraph node does with what it gets.
  @Test
  void storesTheResponseInTheChannelNamedLikeTheNode() throws Exception {
    server.on("/d", 201, "{\"name\": \"cat\"}", "Content-Type", "application/json");
    var result = nodes.done(TestCall.plain(), "{'mode': 'request', 'url': '%s'}", server.url("/d"));
    var dropped =
        nodes.done(
            TestCall.plain(), "{'mode': 'request', 'url': '%s', 'result': {}}", server.url("/d"));

    assertThat(Pointer.find(result.change().update(), "/n/body/name")).contains(Value.of("cat"));
    assertThat(Pointer.find(result.change().update(), "/n/status")).contains(Value.of(201L));
    assertThat(dropped.change().isEmpty()).isTrue();
  }

  @Test
  void givesOtherBodiesAsText() throws Exception {
    server.on("/t", 200, "plain", "Content-Type", "text/plain");
    var result =
        nodes.done(
            TestCall.plain(),
            "{'mode': 'request', 'url': '%s', 'result': {'response': '{{ response.body }}'}}",
            server.url("/t"));
    assertThat(result.response()).isEqualTo("plain");
  }

  @Test
  void givesNullForNoBody() throws Exception {
    server.on("/n", 204, "");
    var result =
        nodes.done(
            TestCall.plain(),
            "{'mode': 'request', 'url': '%s', 'result': {'update': {'b': '{{ response.body }}'}}}",
            server.url("/n"));
    assertThat(result.change().update().get("b")).isEqualTo(Value.NULL);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          response.status == 404           | 404 | true
          {{ response.status == 404 }}     | 404 | true
          response.status < 500            | 503 | false
          response.body.ok                 | 200 | false
          """)
  void asksSuccessWhetherItSucceeded(String success, int status, boolean succeeds)
      throws Exception {
    server.on("/s", status, "{\"ok\": false}", "Content-Type", "application/json");
    var config =
        "{'mode': 'request', 'url': '%s', 'success': '%s'}".formatted(server.url("/s"), success);
    if (succeeds) {
      nodes.done(TestCall.plain(), config);
    } else {
      assertThat(nodes.failed(TestCall.plain(), config).code()).isEqualTo("http_" + status);
    }
  }

  private static final String CHECKED =
      "{'mode': 'request', 'url': '%s', 'result': {'update': {'flight': '{{ response.body.id }}'}},"
          + " 'response_schema': {'type': 'object', 'required': ['id'],"
          + " 'properties': {'id': {'type': 'string'}}}}";

  @Test
  void takesABodyThatSatisfiesItsSchema() throws Exception {
    server.on("/flights", 200, "{\"id\": \"a1\"}", "Content-Type", "application/json");
    assertThat(nodes.done(TestCall.plain(), CHECKED, server.url("/flights")).change().update())
        .isEqualTo(Json.read("{\"flight\": \"a1\"}"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          {"id": 7} | /id:
          {}        | 'id'
          []        | object
          ''        | object
          """)
  void refusesABodyThatDoesNotSatisfyItsSchema(String body, String problem) throws Exception {
    server.on("/flights", 200, body, "Content-Type", "application/json");
    var error = nodes.failed(TestCall.plain(), CHECKED, server.url("/flights"));
    assertThat(error.code()).isEqualTo("bad_node_result");
    assertThat(error.message()).contains("does not satisfy response_schema").contains(problem);
  }

  @Test
  void doesNotCheckTheBodyOfAFailure() throws Exception {
    server.on("/flights", 503, "[]", "Content-Type", "application/json");
    assertThat(nodes.failed(TestCall.plain(), CHECKED, server.url("/flights")).code())
        .isEqualTo("http_503");
  }

  @Test
  void refusesASchemaThatIsNone() {
    assertThatExceptionOfType(InvalidNodeException.class)
        .isThrownBy(() ->
            nodes.node(
                "{'mode': 'request', 'url': 'http://x', 'response_schema': {'type': 'txt'}}"))
        .satisfies(it ->
            assertThat(it.problems())
                .extracting(Violation::pointer, Violation::code)
                .contains(tuple("/response_schema/type", "invalid_schema")));
  }

  @Test
  void refusesJsonThatIsNone() throws Exception {
    server.on("/bad", 200, "{oops", "Content-Type", "application/json");
    assertThat(
            nodes
                .failed(TestCall.plain(), "{'mode': 'request', 'url': '%s'}", server.url("/bad"))
                .code())
        .isEqualTo("bad_node_result");
  }

  @Test
  void keepsTheStatusOfAFailureWhoseBodyIsBroken() throws Exception {
    server.on("/broken", 502, "{oops", "Content-Type", "application/json");
    assertThat(
            nodes
                .failed(TestCall.plain(), "{'mode': 'request', 'url': '%s'}", server.url("/broken"))
                .code())
        .isEqualTo("http_502");
  }

  @Test
  void refusesAHeaderThatWouldBeginAnother() throws Exception {
    var error =
        nodes.failed(
            TestCall.plain().state("{\"h\": \"a\\r\\nX-Evil: 1\"}"),
            "{'mode': 'request', 'url': '%s', 'headers': {'X-A': '{{ state.h }}'}}",
            server.url("/never"));
    assertThat(error.code()).isEqualTo("http_bad_request");
    assertThat(server.requests).isEmpty();
  }

  /// Names of headers know no case: of two, one would be lost.
  @Test
  void refusesAHeaderThatIsGivenTwice() throws Exception {
    assertThatExceptionOfType(InvalidNodeException.class)
        .isThrownBy(() ->
            nodes.done(
                TestCall.plain(),
                "{'mode': 'request', 'url': '%s', 'headers': {'X-A': 'a', 'x-a': 'b'}}",
                server.url("/never")))
        .satisfies(it ->
            assertThat(it.problems())
                .extracting(Violation::code, Violation::pointer)
                .containsExactly(tuple("duplicate", "/headers/x-a")));
    var error =
        nodes.failed(
            TestCall.plain().state("{\"h\": {\"X-A\": \"a\", \"x-a\": \"b\"}}"),
            "{'mode': 'request', 'url': '%s', 'headers': '{{ state.h }}'}",
            server.url("/never"));
    assertThat(error.code()).isEqualTo("http_bad_request");
    assertThat(server.requests).isEmpty();
  }
}
