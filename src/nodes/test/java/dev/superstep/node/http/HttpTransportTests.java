package dev.superstep.node.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.superstep.engine.OthersWork;
import dev.superstep.engine.node.Outcome;
import dev.superstep.engine.run.TaskError;
import dev.superstep.graph.RetryPolicy.Retryable;
import dev.superstep.node.TestCall;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(30)
class HttpTransportTests {
  private final TestServer server = new TestServer();
  private final TestNodes nodes;

  HttpTransportTests() throws Exception {
    nodes = TestNodes.onLoopback();
  }

  @AfterEach
  void close() throws Exception {
    nodes.close();
    server.close();
  }

  /// E31: the server decides when it wants to be asked again.
  @ParameterizedTest
  @ValueSource(strings = {"90", "Sat, 31 Jan 2026 08:01:30 GMT"})
  void honoursRetryAfter(String header) throws Exception {
    server.on("/busy", 503, "", "Retry-After", header);
    assertThat(nodes.failed(TestCall.plain(), "{'url': '%s'}", server.url("/busy")).retryAfter())
        .contains(Duration.ofSeconds(90));
  }

  @Test
  void letsOthersWorkWhileItWaits() throws Exception {
    var others = new OthersWork();
    server.on(
        "/slow",
        exchange -> {
          try {
            others.await();
            TestServer.send(exchange, 200, "{}");
          } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
          }
        });

    others.during(() -> nodes.done(TestCall.plain(), "{'url': '%s'}", server.url("/slow")));
  }

  @Test
  void namesTheTimeOutOfACallThatTakesTooLong() throws Exception {
    var release = new CountDownLatch(1);
    server.on("/slow", exchange -> await(release));
    var error =
        nodes.failed(
            TestCall.plain().deadline(TestCall.NOW.plusMillis(200)),
            "{'url': '%s'}",
            server.url("/slow"));
    release.countDown();
    assertThat(error)
        .extracting(TaskError::code, TaskError::retryable)
        .containsExactly("node_timeout", Retryable.YES);
  }

  /// A body that comes in drops cannot hold the call over its deadline.
  @Test
  void namesTheTimeOutOfABodyThatDrips() throws Exception {
    var release = new CountDownLatch(1);
    server.on(
        "/drip",
        exchange -> {
          exchange.sendResponseHeaders(200, 0);
          while (!await(release, 50)) {
            exchange.getResponseBody().write(' ');
            exchange.getResponseBody().flush();
          }
        });
    var error =
        nodes.failed(
            TestCall.plain().deadline(TestCall.NOW.plusMillis(300)),
            "{'url': '%s'}",
            server.url("/drip"));
    release.countDown();
    assertThat(error.code()).isEqualTo("node_timeout");
  }

  /// The JDK's one thread for timed waits would wake twice for each (`Deadline`).
  @Test
  void waitsWithoutATimedWait() throws Exception {
    var arrived = new CountDownLatch(1);
    var release = new CountDownLatch(1);
    server.on(
        "/slow",
        exchange -> {
          arrived.countDown();
          await(release);
          TestServer.send(exchange, 200, "{}");
        });
    var call =
        new FutureTask<>(() ->
            nodes.done(
                TestCall.plain().deadline(TestCall.NOW.plusSeconds(20)),
                "{'url': '%s'}",
                server.url("/slow")));
    var caller = Thread.ofVirtual().start(call);
    arrived.await();

    Awaitility.await().until(() -> caller.getState() == Thread.State.WAITING);

    release.countDown();
    call.get();
  }

  @Test
  void leavesAtOnceWhenInterrupted() throws Exception {
    var arrived = new CountDownLatch(1);
    var release = new CountDownLatch(1);
    server.on(
        "/hang",
        exchange -> {
          arrived.countDown();
          await(release);
        });
    var call =
        new FutureTask<Outcome>(
            () -> nodes.node("{'url': '%s'}", server.url("/hang")).run(TestCall.plain()));
    var thread = Thread.ofPlatform().start(call);
    assertThat(arrived.await(10, TimeUnit.SECONDS)).isTrue();
    thread.interrupt();
    assertThatExceptionOfType(java.util.concurrent.ExecutionException.class)
        .isThrownBy(() -> call.get(30, TimeUnit.SECONDS))
        .withCauseInstanceOf(InterruptedException.class);
    release.countDown();
  }

  @Test
  void saysThatNobodyListens() throws Exception {
    int port;
    try (var socket = new ServerSocket(0, 1, InetAddress.ofLiteral("127.0.0.1"))) {
      port = socket.getLocalPort();
    }
    assertThat(nodes.failed(TestCall.plain(), "{'url': 'http://127.0.0.1:%d/'}", port))
        .extracting(TaskError::code, TaskError::retryable)
        .containsExactly("http_unreachable", Retryable.YES);
  }

  /// One attempt is one request: a connection that breaks is not tried again behind the node's
  /// back.
  @Test
  void sendsNoRequestTwice() throws Exception {
    server.on(
        "/cut",
        exchange -> {
          exchange.sendResponseHeaders(200, 100);
          exchange.getResponseBody().write('{');
        });
    assertThat(nodes.failed(TestCall.plain(), "{'url': '%s'}", server.url("/cut")).code())
        .isEqualTo("http_unreachable");
    assertThat(server.requests).hasSize(1);
  }

  @Test
  void usesAConnectionAgain() throws Exception {
    var ports = new java.util.concurrent.CopyOnWriteArraySet<Integer>();
    server.on(
        "/again",
        exchange -> {
          ports.add(exchange.getRemoteAddress().getPort());
          TestServer.send(exchange, 200, "{}");
        });
    for (int i = 0; i < 3; i++) {
      nodes.done(TestCall.plain(), "{'url': '%s'}", server.url("/again"));
    }
    assertThat(ports).hasSize(1);
  }

  @Test
  void refusesAnAnswerOverTheLimit() throws Exception {
    server.on("/large", 200, "\"" + "x".repeat(9_000) + "\"");
    var error = nodes.failed(TestCall.plain(), "{'url': '%s'}", server.url("/large"));
    assertThat(error)
        .extracting(TaskError::code, TaskError::retryable)
        .containsExactly("bad_node_result", Retryable.NO);
    assertThat(error.message()).contains("superstep.http.response-max");
  }

  /// It stops reading at the limit: the server would go on for ever.
  @Test
  void refusesAnEndlessAnswer() throws Exception {
    var cut = new CountDownLatch(1);
    server.on(
        "/endless",
        exchange -> {
          exchange.sendResponseHeaders(200, 0);
          try {
            while (true) {
              exchange.getResponseBody().write("xxxxxxxx".getBytes(StandardCharsets.UTF_8));
            }
          } catch (IOException e) {
            cut.countDown();
          }
        });
    assertThat(nodes.failed(TestCall.plain(), "{'url': '%s'}", server.url("/endless")).message())
        .contains("superstep.http.response-max");
    assertThat(cut.await(10, TimeUnit.SECONDS)).isTrue();
  }

  @Test
  void refusesAHeaderOverTheLimit() throws Exception {
    server.on("/header", 200, "{}", "X-Large", "x".repeat(2_000));
    var error = nodes.failed(TestCall.plain(), "{'url': '%s'}", server.url("/header"));
    assertThat(error.code()).isEqualTo("bad_node_result");
    assertThat(error.message()).contains("superstep.http.headers-max");
  }

  @Test
  void refusesARequestOverTheLimit() throws Exception {
    var error =
        nodes.failed(
            TestCall.plain().state("{\"a\": \"%s\"}".formatted("x".repeat(70_000))),
            "{'url': '%s'}",
            server.url("/x"));
    assertThat(error.message()).contains("superstep.http.request-max");
  }

  @Test
  void unpacksWhatIsCompressed() throws Exception {
    server.on(
        "/zip",
        exchange -> {
          var bytes = new java.io.ByteArrayOutputStream();
          try (var zip = new java.util.zip.GZIPOutputStream(bytes)) {
            zip.write("{\"prompt\": \"p\"}".getBytes(StandardCharsets.UTF_8));
          }
          exchange.getResponseHeaders().add("Content-Encoding", "gzip");
          exchange.sendResponseHeaders(200, bytes.size());
          exchange.getResponseBody().write(bytes.toByteArray());
        });
    assertThat(nodes.done(TestCall.plain(), "{'url': '%s'}", server.url("/zip")).prompt())
        .isEqualTo("p");
  }

  @Test
  void keepsNoCookies() throws Exception {
    server.on("/cookie", 200, "{}", "Set-Cookie", "a=b");
    nodes.done(TestCall.plain(), "{'url': '%s'}", server.url("/cookie"));
    nodes.done(TestCall.plain(), "{'url': '%s'}", server.url("/cookie"));
    assertThat(server.requests.getLast().headers()).doesNotContainKey("Cookie");
  }

  @Test
  void namesAHostThatHasNoAddress() throws Exception {
    NameResolver none =
        host -> {
          throw new java.net.UnknownHostException(host);
        };
    try (var nowhere = TestNodes.guarded(none)) {
      assertThat(nowhere.failed(TestCall.plain(), "{'url': 'http://nowhere.example/'}"))
          .extracting(TaskError::code, TaskError::retryable)
          .containsExactly("http_unreachable", Retryable.YES);
    }
  }

  private static void await(CountDownLatch latch) throws IOException {
    await(latch, 20_000);
  }

  private static boolean await(CountDownLatch latch, long millis) throws IOException {
    try {
      return latch.await(millis, TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      throw new IOException(e);
    }
  }
}
