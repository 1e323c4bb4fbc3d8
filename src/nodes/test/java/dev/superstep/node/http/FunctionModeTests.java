package dev.superstep.node.http;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.context.PromptContext;
import dev.superstep.engine.node.LiveEventSink;
import dev.superstep.engine.node.Outcome;
import dev.superstep.engine.run.CustomEvent;
import dev.superstep.engine.run.TaskError;
import dev.superstep.graph.RetryPolicy.Retryable;
import dev.superstep.json.Json;
import dev.superstep.node.TestCall;
import dev.superstep.state.Change;
import dev.superstep.state.value.ListValue;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.state.value.Value;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class FunctionModeTests {
  private final TestServer server = new TestServer();
  private TestNodes nodes;

  FunctionModeTests() throws Exception {
    nodes = TestNodes.onLoopback();
  }

  @BeforeEach
  void answer() {
    server.on("/ok", 200, "{}", "Content-Type", "application/json");
  }

  @AfterEach
  void close() throws Exception {
    nodes.close();
    server.close();
  }

  @Test
  void sendsWhatTheNodeSees() throws Exception {
    var context =
        PromptContext.EMPTY
            .plusVariables(ObjectValue.of("llm.model", Value.of("m")))
            .plusEntry(ObjectValue.of("id", Value.of("h1")), "2026-01-31T07:00:00Z");
    var call =
        TestCall.plain()
            .state("{\"a\": 1, \"b\": 2.0}")
            .dispatch("d1", "{\"topic\": \"cats\"}")
            .context(context);
    nodes.done(call, "{'url': '%s', 'headers': {'X-Secret': 's'}}", server.url("/ok"));
    assertThat(server.requests.getFirst().method()).isEqualTo("POST");
    assertThat(server.requests.getFirst().json())
        .isEqualTo(
            Json.read(
                """
                {"run": {"id": "run-1", "graph": "graph", "version": 3, "num_vertices": 3, "metadata": {"tenant": "t"}},
                 "node": "n", "superstep": 7, "dispatch": {"id": "d1", "metadata": {}},
                 "state": {"a": 1, "b": 2.0}, "input": {"topic": "cats"},
                 "context": {"template": "", "variables": {"llm.model": "m"}, "metadata": {},
                   "history": [{"id": "h1", "timestamp": "2026-01-31T07:00:00Z"}]},
                 "resume": null, "config": {"url": "%s"}}
                """
                    .formatted(server.url("/ok"))));
  }

  /// Events are told while the function still works, and are in the result.
  @Test
  void tellsEventsOfAFunctionThatStreams() throws Exception {
    var told = new LinkedBlockingQueue<ObjectValue>();
    var heard = new CountDownLatch(1);
    server.on(
        "/streams",
        exchange -> {
          exchange.getResponseHeaders().set("Content-Type", "application/x-ndjson");
          exchange.sendResponseHeaders(200, 0);
          var out = exchange.getResponseBody();
          out.write("{\"event\": {\"name\": \"found\", \"data\": 1}}\n".getBytes(UTF_8));
          out.flush();
          await(heard);
          out.write("{\"event\": {\"name\": \"more\", \"data\": 2}}\n".getBytes(UTF_8));
          var result = "{\"result\": {\"response\": \"r\", \"events\": [{\"name\": \"own\"}]}}";
          out.write(result.getBytes(UTF_8));
        });
    var watchers =
        new LiveEventSink() {
          @Override
          public boolean hasSubscribers() {
            return true;
          }

          @Override
          public void publish(String type, ObjectValue data) {
            assertThat(type).isEqualTo("custom");
            told.add(data);
            heard.countDown();
          }
        };

    var result =
        nodes.done(
            TestCall.plain().watchers(watchers).attempt(2),
            "{'url': '%s'}",
            server.url("/streams"));

    assertThat(result.response()).isEqualTo("r");
    assertThat(result.events())
        .extracting(CustomEvent::name)
        .containsExactly("found", "more", "own");
    assertThat(told.stream().map(ObjectValue::toString))
        .containsExactly(
            "{\"attempt\":2,\"data\":1,\"index\":0,\"name\":\"found\"}",
            "{\"attempt\":2,\"data\":2,\"index\":1,\"name\":\"more\"}");
  }

  private static void await(CountDownLatch heard) {
    try {
      assertThat(heard.await(10, TimeUnit.SECONDS)).isTrue();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  @Test
  void refusesTooManyEvents() throws Exception {
    var lines = "{\"event\": {\"name\": \"e\"}}\n".repeat(101) + "{\"result\": {}}\n";
    server.on("/many", 200, lines, "Content-Type", "application/x-ndjson");

    var error = nodes.failed(TestCall.plain(), "{'url': '%s'}", server.url("/many"));

    assertThat(error.code()).isEqualTo("bad_node_result");
    assertThat(error.message()).contains("101 events; at most 100");
  }

  @Test
  void sendsNullsForAPlainActivation() throws Exception {
    nodes.done(TestCall.plain(), "{'url': '%s'}", server.url("/ok"));
    var body = server.requests.getFirst().json();
    assertThat(body.get("dispatch")).isEqualTo(Value.NULL);
    assertThat(body.get("input")).isEqualTo(Value.NULL);
    assertThat(body.get("resume")).isEqualTo(Value.NULL);
  }

  /// E36: the second call of an interrupted task carries the answer.
  @Test
  void sendsTheAnswerItResumesWith() throws Exception {
    nodes.done(TestCall.plain().answer(Value.FALSE), "{'url': '%s'}", server.url("/ok"));
    assertThat(server.requests.getFirst().json().get("resume"))
        .isEqualTo(Json.read("{\"interrupt_id\": \"i-1\", \"answer\": false}"));
  }

  @Test
  void sendsOnlyTheChannelsOfStateKeys() throws Exception {
    nodes.done(
        TestCall.plain().state("{\"a\": 1, \"b\": 2}"),
        "{'url': '%s', 'state_keys': ['b', 'c']}",
        server.url("/ok"));
    assertThat(server.requests.getFirst().json().get("state")).isEqualTo(Json.read("{\"b\": 2}"));
  }

  /// E40: HTTP calls send the idempotency key.
  @Test
  void sendsItsHeaders() throws Exception {
    var deadline = TestCall.NOW.plusSeconds(30);
    nodes.done(
        TestCall.plain().attempt(2).deadline(deadline),
        "{'url': '%s', 'headers': {'Authorization': 'Bearer x', 'X-Count': 3, 'X-Out': null}}",
        server.url("/ok"));
    var request = server.requests.getFirst();
    assertThat(request.header("Idempotency-key")).isEqualTo("key-1");
    assertThat(request.header("Superstep-attempt")).isEqualTo("2");
    assertThat(request.header("Superstep-deadline")).isEqualTo("2026-01-31T08:00:30Z");
    assertThat(request.header("Traceparent")).matches("00-[0-9a-f]{32}-[0-9a-f]{16}-01");
    assertThat(request.header("Content-type")).isEqualTo("application/json");
    assertThat(request.header("Authorization")).isEqualTo("Bearer x");
    assertThat(request.header("X-count")).isEqualTo("3");
    assertThat(request.headers()).doesNotContainKey("X-out");
  }

  @Test
  void takesANodeResult() throws Exception {
    server.on("/result", 200, "{\"update\": {\"findings\": [\"x\"]}, \"goto\": [\"b\"]}");
    var result = nodes.done(TestCall.plain(), "{'url': '%s'}", server.url("/result"));
    assertThat(result.change()).isEqualTo(Change.update("findings", ListValue.of(Value.of("x"))));
    assertThat(result.goTo()).containsExactly("b");
  }

  @Test
  void takesNoContentAsDone() throws Exception {
    server.on("/none", 204, "");
    assertThat(nodes.done(TestCall.plain(), "{'url': '%s'}", server.url("/none")).change())
        .isEqualTo(Change.NONE);
  }

  /// E30: a remote function can interrupt.
  @Test
  void takesAnInterrupt() throws Exception {
    server.on("/ask", 200, "{\"interrupt\": {\"reason\": \"ok?\"}}");
    assertThat(nodes.node("{'url': '%s'}", server.url("/ask")).run(TestCall.plain()))
        .isInstanceOf(Outcome.Interrupted.class);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"", "nonsense", "[]", "{\"updates\": {}}", "{\"a\": 1, \"a\": 2}", "{} {}"})
  void refusesWhatIsNoNodeResult(String body) throws Exception {
    server.on("/bad", 200, body);
    var error = nodes.failed(TestCall.plain(), "{'url': '%s'}", server.url("/bad"));
    assertThat(error)
        .extracting(TaskError::code, TaskError::retryable)
        .containsExactly("bad_node_result", Retryable.NO);
  }

  @Test
  void refusesOtherKindsOfSuccess() throws Exception {
    server.on("/later", 202, "{}");
    assertThat(nodes.failed(TestCall.plain(), "{'url': '%s'}", server.url("/later")).code())
        .isEqualTo("bad_node_result");
  }

  /// E31: what may be retried.
  @ParameterizedTest
  @CsvSource({
    "400, NO",
    "401, NO",
    "404, NO",
    "408, YES",
    "409, NO",
    "422, NO",
    "425, YES",
    "429, YES",
    "500, YES",
    "501, YES",
    "502, YES",
    "503, YES",
    "504, YES"
  })
  void saysWhatMayBeRetried(int status, Retryable retryable) throws Exception {
    server.on("/fail", status, "no");
    assertThat(nodes.failed(TestCall.plain(), "{'url': '%s'}", server.url("/fail")))
        .extracting(TaskError::code, TaskError::retryable)
        .containsExactly("http_" + status, retryable);
  }

  @ParameterizedTest
  @CsvSource({
    "application/problem+json, quota_used, quota_used",
    "application/problem+json; charset=utf-8, quota_used, quota_used",
    "application/problem+json, Not A Code, http_409",
    "application/json, quota_used, http_409",
  })
  void takesTheCodeOfAProblemDocument(String type, String code, String expected) throws Exception {
    server.on(
        "/problem",
        409,
        "{\"code\": \"%s\", \"detail\": \"come back tomorrow\"}".formatted(code),
        "Content-Type",
        type);
    var error = nodes.failed(TestCall.plain(), "{'url': '%s'}", server.url("/problem"));
    assertThat(error.code()).isEqualTo(expected);
    assertThat(error.message()).contains("come back tomorrow");
    assertThat(error.details().get("status")).isEqualTo(Value.of(409));
  }
}
