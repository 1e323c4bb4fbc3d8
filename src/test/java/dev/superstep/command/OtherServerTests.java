package dev.superstep.command;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// The commands at an address where something else answers, or nothing that can be understood.
class OtherServerTests {
  /// What calls without end is cut off.
  private static final int CALLS_MAX = 20;

  private final Console console = new Console();
  private final AtomicInteger calls = new AtomicInteger();
  private HttpServer server;

  @BeforeEach
  void opens() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
  }

  @AfterEach
  void closes() {
    server.stop(0);
  }

  private void answers(String path, int status, String body, Map<String, String> headers) {
    server.createContext(
        path,
        exchange -> {
          headers.forEach(exchange.getResponseHeaders()::set);
          var bytes = body.getBytes(StandardCharsets.UTF_8);
          exchange.sendResponseHeaders(
              calls.incrementAndGet() > CALLS_MAX ? 500 : status, bytes.length);
          exchange.getResponseBody().write(bytes);
          exchange.close();
        });
  }

  private int run(String... options) {
    server.start();
    var all = new String[options.length + 3];
    all[0] = "run";
    all[1] = "greeting";
    all[2] = "--server=http://127.0.0.1:" + server.getAddress().getPort();
    System.arraycopy(options, 0, all, 3, options.length);
    return console.run(all);
  }

  @ParameterizedTest
  @ValueSource(strings = {"<html>Welcome</html>", "{\"ok\": true}", "[]", ""})
  void endsWhereSomethingElseAnswers(String body) {
    answers("/", 200, body, Map.of());
    assertThat(run()).isEqualTo(2);
    assertThat(console.err()).contains("--server", "does not answer as Superstep does");
    assertThat(calls).hasValue(1);
  }

  @Test
  void saysWhereItIsSent() {
    answers("/", 308, "moved", Map.of("Location", "https://superstep.example/v1/runs"));
    assertThat(run()).isEqualTo(2);
    assertThat(console.err()).contains("308", "https://superstep.example/v1/runs");
    assertThat(calls).hasValue(1);
  }

  @Test
  void endsAStreamThatCannotBeUnderstood() {
    answers("/v1/runs", 201, "{\"id\": \"one\"}", Map.of());
    answers("/v1/runs/one/stream", 200, "data: <html>\n\n", Map.of());
    assertThat(run("--watch")).isEqualTo(2);
    assertThat(console.err()).contains("does not answer as Superstep does");
  }
}
