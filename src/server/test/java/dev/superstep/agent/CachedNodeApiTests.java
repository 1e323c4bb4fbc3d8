package dev.superstep.agent;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import dev.superstep.json.Json;
import dev.superstep.state.value.ListValue;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.state.value.Value;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.boot.test.web.server.LocalServerPort;

/// Results that nodes keep for other tasks, over HTTP.
@AgentTest
class CachedNodeApiTests {
  private static final String KEYED = "{ key: state.word, ttl: 1h }";

  @LocalServerPort int port;
  private final AtomicInteger calls = new AtomicInteger();
  private Service service = new Service(0);
  private HttpServer outside = server();

  @BeforeEach
  void connects() {
    service = new Service(port);
    outside.start();
  }

  @AfterEach
  void stops() {
    outside.stop(0);
  }

  /// Answers with the number of the call. What is said to be `broken` fails at first.
  private HttpServer server() {
    try {
      var server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
      server.createContext(
          "/",
          exchange -> {
            int call = calls.incrementAndGet();
            boolean fails = call == 1 && exchange.getRequestURI().getPath().equals("/broken");
            var body = "{\"call\": %d}".formatted(call).getBytes(StandardCharsets.UTF_8);
            exchange.getResponseHeaders().add("Content-Type", "application/json");
            exchange.sendResponseHeaders(fails ? 500 : 200, body.length);
            exchange.getResponseBody().write(body);
            exchange.close();
          });
      return server;
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  private void graph(String name, String cache, String keys) {
    service.graph(definition(name, cache, keys));
  }

  private String definition(String name, String cache, String keys) {
    return """
    name: %s
    nodes:
      - id: ask
        type: http
        config:
          mode: request
          url: "http://127.0.0.1:%d/{{ state.word }}"
          result: { update: { call: "{{ response.body.call }}" } }
        %s
        cache: %s
    edges: [{ from: __start__, to: ask }]
    """
        .formatted(name, outside.getAddress().getPort(), keys, cache);
  }

  private Value run(String graph, String word) {
    return service.run(graph, ObjectValue.of("word", word));
  }

  private Value call(String graph, String word) {
    var run = run(graph, word);
    assertThat(Service.text(run, "/status")).as("%s", run).isEqualTo("succeeded");
    return Service.at(run, "/output/call");
  }

  @Test
  void callsOnceForEachKey() {
    graph("cached-keys", KEYED, "");

    assertThat(call("cached-keys", "a")).isEqualTo(Value.of(1));
    assertThat(call("cached-keys", "a")).isEqualTo(Value.of(1));
    assertThat(call("cached-keys", "b")).isEqualTo(Value.of(2));
    assertThat(call("cached-keys", "a")).isEqualTo(Value.of(1));
    assertThat(calls).hasValue(2);
  }

  /// Another node, or another configuration of it, may come to something else.
  @Test
  void callsAgainForAnotherConfigurationAndAnotherGraph() {
    graph("cached-one", KEYED, "");
    run("cached-one", "a");
    graph("cached-one", KEYED, "timeout: 20s");
    assertThat(call("cached-one", "a")).as("a key besides").isEqualTo(Value.of(1));
    service.graph(
        """
        name: cached-one
        nodes:
          - id: ask
            type: http
            config:
              mode: request
              url: "http://127.0.0.1:%d/{{ state.word }}"
              result: { update: { call: "{{ response.body.call + 100 }}" } }
            cache: %s
        edges: [{ from: __start__, to: ask }]
        """
            .formatted(outside.getAddress().getPort(), KEYED));
    assertThat(call("cached-one", "a")).isEqualTo(Value.of(102));
    graph("cached-other", KEYED, "");
    assertThat(call("cached-other", "a")).isEqualTo(Value.of(3));
  }

  @Test
  void callsAgainWhenTheTimeIsOver() {
    graph("cached-short", "{ key: state.word, ttl: 1ms }", "");

    run("cached-short", "a");
    assertThat(call("cached-short", "a")).isEqualTo(Value.of(2));
  }

  /// A failure is no result.
  @Test
  void keepsNoFailure() {
    graph("cached-broken", KEYED, "retry: { max_attempts: 2, initial_interval: 1ms }");

    assertThat(call("cached-broken", "broken")).isEqualTo(Value.of(2));
    assertThat(call("cached-broken", "broken")).isEqualTo(Value.of(2));
  }

  /// What is erased with a run is not found by others.
  @Test
  void forgetsResultsOfRunsThatAreDeleted() {
    graph("cached-erased", KEYED, "");
    var run = run("cached-erased", "a");

    service.delete("/v1/runs/" + Service.text(run, "/id"));

    assertThat(call("cached-erased", "a")).isEqualTo(Value.of(2));
  }

  /// Two answers of one model to one key are two messages, and the second costs nothing.
  @Test
  void givesEachAnswerOfAModelAnIdOfItsOwn() {
    service.graph(
        """
        name: cached-answers
        channels: { messages: { reducer: messages }, n: { reducer: sum, default: 0 } }
        nodes:
          - id: ask
            type: llm
            config: { model: without-price, prompt: hello }
            cache: { key: "'one'", ttl: 1h }
            next: count
          - id: count
            type: expression
            config: { update: { n: 1 } }
            switch: [{ when: state.n < 2, to: ask }, { else: __end__ }]
        edges: [{ from: __start__, to: ask }]
        """);

    var run = service.run("cached-answers", ObjectValue.empty());

    assertThat(Service.text(run, "/status")).isEqualTo("succeeded");
    var messages = (ListValue) Service.at(run, "/output/messages");
    assertThat(messages.stream().filter(it -> Service.text(it, "/role").equals("assistant")))
        .as("%s", messages)
        .hasSize(2);
    assertThat(Service.at(run, "/usage/model_calls")).isEqualTo(Value.of(1));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '~',
      quoteCharacter = '`',
      value = {
        "human ~ {} ~ { key: state.a, ttl: 1h } ~ not_applicable /nodes/0/cache",
        "expression ~ { update: {} } ~ { ttl: 1h } ~ missing_field /nodes/0/cache/key",
        "expression ~ { update: {} } ~ { key: 'state.', ttl: 1h } ~ invalid_expression"
            + " /nodes/0/cache/key",
        "expression ~ { update: {} } ~ { key: state.a, ttl: 0s } ~ out_of_range /nodes/0/cache/ttl"
      })
  void refusesWhatKeepsNothing(String type, String config, String cache, String problem) {
    assertThat(
            service.problems(
                """
                name: cached-mistake
                channels: { a: {} }
                nodes: [{ id: a, type: %s, config: %s, cache: %s }]
                edges: [{ from: __start__, to: a }]
                """
                    .formatted(type, config, cache)))
        .containsExactly(problem);
  }

  /// The answer of a person counts for the run in which that one was asked.
  @Test
  void asksInEachRun() {
    service.graph(
        """
        name: cached-asking
        nodes:
          - { id: plan, type: expression, targets: [ask], config: { dispatch: [{ node: ask, input: { item: a } }] } }
          - { id: ask, type: function, config: { function: asker }, cache: { key: "'one'" } }
        edges: [{ from: __start__, to: plan }]
        """);
    var input = ObjectValue.of("order", ListValue.of(Value.of("a")));
    for (int i = 0; i < 2; i++) {
      var run = service.run("cached-asking", input);
      assertThat(Service.text(run, "/status")).as("%s", run).isEqualTo("interrupted");
      assertThat(Service.text(service.answer(run, "\"yes\""), "/status")).isEqualTo("succeeded");
    }
  }

  /// A test of a definition answers for the node, whatever was kept.
  @Test
  void isLeftOutInTestsOfDefinitions() {
    var definition = definition("cached-tested", KEYED, "");
    service.graph(definition);
    run("cached-tested", "a");

    var tested =
        service.test(
            definition
                + """
                tests:
                  - name: one
                    input: { word: a }
                    mocks: { ask: { body: { call: 7 } } }
                    expect: { output: { call: 7 } }
                """);

    assertThat(Json.write(tested)).contains("passed").doesNotContain("\"failed\":1");
  }
}
