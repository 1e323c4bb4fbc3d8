package dev.superstep.fault;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.superstep.examples.Walkthrough;
import dev.superstep.graph.Pointer;
import dev.superstep.model.stub.OpenAiStub;
import dev.superstep.model.stub.Reply;
import dev.superstep.state.value.Value;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// E10.3, E40, I10: one of two replicas is killed with SIGKILL between a tool call and the barrier,
/// then the one that has gone on. No call that has its result is repeated; one that was cut off
/// comes again with its key, unless it may be made only once: then a person is asked. The first
/// kill is that of the tutorial, whose run ends as the page says.
class ToolSigkillIT {
  private static final String KILL = "kill -9 ";

  private static final Reply CALLS =
      Reply.calls(
          new Reply.Call("c1", "fast", "{}"),
          new Reply.Call("c2", "slow", "{}"),
          new Reply.Call("c3", "once", "{}"));

  private static final String AGENT =
      """
      name: agent
      channels: { messages: { reducer: messages } }
      nodes:
        - { id: llm, type: llm, config: { model: stub, tools: [fast, slow, once] } }
        - { id: tools, type: tool }
      edges:
        - { from: __start__, to: llm }
        - from: llm
          route: "state.finish_reason == 'tool_calls' ? 'tools' : '__end__'"
          targets: [tools, __end__]
        - { from: tools, to: llm }
      """;

  @TempDir Path folder;

  /// Each entry is a path and an idempotency key.
  private final List<String> arrivals = new CopyOnWriteArrayList<>();

  private final CountDownLatch end = new CountDownLatch(1);

  @Test
  @Timeout(value = 10, unit = TimeUnit.MINUTES)
  void repeatsNoCallThatHasItsResult() throws Exception {
    var tools = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 16);
    tools.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
    tools.createContext("/", this::serve);
    tools.start();
    var url = "http://127.0.0.1:" + tools.getAddress().getPort();
    try (var model =
            OpenAiStub.start(0, it -> it.lastRole().equals("tool") ? Reply.text("done") : CALLS);
        var replicas = new ReplicaPair(folder, environment(url, model.url()))) {
      replicas.start();
      var service = replicas.first();
      assertThat(service.post("/v1/graphs", "application/yaml", AGENT).status()).isEqualTo(201);
      service.post(
          "/v1/runs",
          "application/json",
          "{\"id\":\"r\",\"graph\":\"agent\",\"input\":{\"messages\":[{\"role\":\"user\",\"content\":\"go\"}]}}");

      awaitCall("/slow");
      var tutorial = Walkthrough.read(Path.of("docs/tutorial.md"));
      tutorial.through(KILL).run(Path.of("."), base(service), "SUPERSTEP=" + service.pid() + "\n");
      service.awaitEnd();
      awaitCall("/once");
      service.start();
      service.awaitReady();
      replicas.second().kill();
      var interrupted =
          Awaitility.await()
              .atMost(Duration.ofMinutes(3))
              .until(
                  () -> service.get("/v1/runs/r?wait=30s"),
                  it -> it.text("status").equals("interrupted"));

      assertThat(Pointer.find(interrupted.body(), "/interrupts/0/reason"))
          .contains(Value.of("tool_outcome_unknown"));
      assertThat(keys("/fast")).hasSize(1);
      assertThat(keys("/slow")).hasSize(2).containsOnly(keys("/slow").getFirst());
      assertThat(keys("/once")).hasSize(1);

      end.countDown();
      var answered =
          service.post(
              "/v1/runs/r/resume?wait=60s",
              "application/json",
              "{\"answers\":[{\"value\":{\"decision\":\"approve\"}}]}");
      assertThat(answered.text("status")).isEqualTo("succeeded");
      assertThat(keys("/once")).hasSize(2).containsOnly(keys("/once").getFirst());
      assertThat(keys("/fast")).hasSize(1);
      assertThat(model.asked()).hasSize(2);
      tutorial.after(KILL).run(Path.of("."), base(service));
    } finally {
      end.countDown();
      tools.stop(0);
    }
  }

  private void awaitCall(String path) {
    Awaitility.await().atMost(Duration.ofMinutes(3)).until(() -> !keys(path).isEmpty());
  }

  private static String base(Replica service) {
    return "http://127.0.0.1:" + service.port();
  }

  private List<String> keys(String path) {
    return arrivals.stream().filter(it -> it.startsWith(path + " ")).toList();
  }

  /// The first call of `slow` and of `once` hangs until its caller is gone.
  private void serve(HttpExchange exchange) throws IOException {
    try (exchange) {
      var path = exchange.getRequestURI().getPath();
      boolean first = keys(path).isEmpty();
      arrivals.add(path + " " + exchange.getRequestHeaders().getFirst("Idempotency-Key"));
      if (first && !path.equals("/fast")) {
        end.await();
      }
      var body = "ok".getBytes(StandardCharsets.UTF_8);
      exchange.sendResponseHeaders(200, body.length);
      exchange.getResponseBody().write(body);
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    }
  }

  private static Map<String, String> environment(String tools, String model) {
    var environment = new HashMap<String, String>();
    environment.put("SUPERSTEP_LEASE", "2s");
    environment.put("SUPERSTEP_TAKEOVERSMAX", "20");
    environment.put("SUPERSTEP_MODELS_STUB_BASEURL", model);
    environment.put("SUPERSTEP_MODELS_STUB_MODEL", "stub");
    environment.put("SUPERSTEP_DEFAULTMODEL", "example");
    environment.put(
        "SPRING_CONFIG_ADDITIONALLOCATION",
        "file:%s/".formatted(Path.of("examples/agents").toAbsolutePath()));
    for (var name : List.of("fast", "slow", "once")) {
      environment.put("SUPERSTEP_TOOLS_HTTP_%S_URL".formatted(name), tools + "/" + name);
    }
    environment.put("SUPERSTEP_TOOLS_ATMOSTONCE", "once");
    // One after the other: when the second call arrives, the first has its result.
    environment.put("SUPERSTEP_TOOLS_PARALLELMAX", "1");
    return environment;
  }
}
