package dev.superstep.security;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.io.InputStreamReader;
import java.io.StringWriter;
import java.net.InetAddress;
import java.net.Socket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.jdbc.core.simple.JdbcClient;

/// Answers that would go on for as long as their runs end when the key of their call does.
@KeyedApiTest
class EndedKeyApiTests {
  /// What waits is looked at every five seconds at least.
  private static final Duration SOON = Duration.ofSeconds(20);

  private static final String RESTS =
      """
      {"name": "rests-long", "nodes": [{"id": "rest", "type": "wait", "config": {"for": "1h"}}],
       "edges": [{"from": "__start__", "to": "rest"}]}
      """;

  private static final String BEGINS =
      "{\"assistant_id\": \"rests-long\", \"input\": {}, \"if_not_exists\": \"create\"}";
  private static final String STARTS = "{\"graph\": \"rests-long\", \"input\": {}}";
  private static final String COUNTS =
      "{\"id\": \"counts-long\", \"graph\": \"counts-long\", \"input\": {}, \"limits\":"
          + " {\"max_supersteps\": 100000}}";

  @LocalServerPort private int port;
  @Autowired private JdbcClient jdbc;
  private String thread = "";
  private String run = "";
  private String idle = "";

  /// @param begin what its answer has when it waits
  /// @param end what its answer has when the key has ended
  private record OpenCall(String method, String path, String body, String begin, String end) {}

  private record BegunCall(OpenCall call, String key, StringWriter answer, Future<Long> ended) {}

  @BeforeEach
  void startsARun() throws IOException {
    endsWhatOthersHaveLeft();
    for (var graph : List.of(RESTS, counts())) {
      assertThat(call("POST", "/v1/graphs", "alpha", graph)).startsWith("HTTP/1.1 20");
    }
    thread = UUID.randomUUID().toString();
    var path = "/langgraph/threads/%s/runs".formatted(thread);
    run = text(call("POST", path, "alpha", BEGINS), "run_id");
    idle = text(call("POST", "/langgraph/threads", "alpha", "{}"), "thread_id");
  }

  /// A key may have three runs only.
  private void endsWhatOthersHaveLeft() throws IOException {
    for (var left : active()) {
      call("POST", "/v1/runs/%s/cancel".formatted(left), "alpha", "{}");
    }
    await().untilAsserted(() -> assertThat(active()).isEmpty());
  }

  private List<String> active() {
    return jdbc.sql(
            """
            select id from run
             where status in ('enqueued', 'queued', 'running', 'waiting', 'interrupted', 'cancelling')
            """)
        .query((row, number) -> row.getString("id"))
        .list();
  }

  @AfterEach
  void cancels() throws IOException {
    call("POST", "/v1/runs/counts-long/cancel", "alpha", "{}");
    call("POST", "/v1/runs/%s/cancel".formatted(run), "alpha", "{}");
  }

  /// Drives its replica for minutes.
  private static String counts() {
    var nodes =
        "{\"id\": \"n%1$d\", \"type\": \"expression\", \"config\": {\"update\": {\"n%1$d\": 1}}}";
    var edges =
        "{\"from\": \"__start__\", \"to\": \"n%1$d\"}, {\"from\": \"n%1$d\", \"to\": \"n%1$d\"}";
    return "{\"name\": \"counts-long\", \"nodes\": [%s], \"edges\": [%s]}"
        .formatted(times(nodes), times(edges));
  }

  private static String times(String text) {
    return IntStream.range(0, 40).mapToObj(text::formatted).collect(Collectors.joining(","));
  }

  private List<OpenCall> calls() {
    var goesOn = "\"__error__\":{\"error\":\"overloaded\"";
    var own = "/langgraph/threads/%s/runs/%s".formatted(thread, run);
    var others = "/langgraph/threads/%s/runs".formatted(UUID.randomUUID());
    var more = "/langgraph/threads/%s/runs".formatted(UUID.randomUUID());
    return List.of(
        new OpenCall("POST", others + "/stream", BEGINS, "event: values", "event: values"),
        new OpenCall("POST", "/langgraph/runs/stream", BEGINS, "event: values", "event: values"),
        new OpenCall("GET", own + "/stream?stream_mode=values", "", "\n:", "\n:"),
        new OpenCall(
            "POST",
            "/langgraph/threads/%s/stream/events".formatted(thread),
            "{\"channels\": [\"lifecycle\", \"values\"], \"since\": 0}",
            "event: values",
            "event: values"),
        new OpenCall(
            "POST",
            "/langgraph/threads/%s/stream/events".formatted(idle),
            "{\"channels\": [\"lifecycle\"]}",
            "\n:",
            "\n:"),
        new OpenCall("GET", own + "/join", "", "", goesOn),
        new OpenCall("POST", more + "/wait", BEGINS, "", goesOn),
        new OpenCall("POST", "/langgraph/runs/wait", BEGINS, "", goesOn),
        new OpenCall(
            "GET", "/v1/runs/%s/stream".formatted(run), "", "event: run.waiting", "key_ended"),
        new OpenCall("POST", "/v1/runs/stream", STARTS, "event: run.waiting", "key_ended"),
        new OpenCall("GET", "/v1/runs/%s?wait=60s".formatted(run), "", "", "\"waiting\""),
        new OpenCall("POST", "/v1/runs?wait=60s", STARTS, "", "\"waiting\""),
        new OpenCall("POST", "/v1/runs?wait=60s", COUNTS, "", "\"running\""));
  }

  /// Each of them with a key of its own: of one, only so many answers may be open.
  @Test
  void endsAnswersOfAKeyThatIsRevoked() throws Exception {
    var begun = new ArrayList<BegunCall>();
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      for (var call : calls()) {
        var key = make();
        var answer = new StringWriter();
        var ended = threads.submit(() -> read(call, text(key, "secret"), answer));
        begun.add(new BegunCall(call, text(key, "id"), answer, ended));
      }
      await().untilAsserted(() -> assertThat(begun).allMatch(this::isOpen));

      long revoked = System.nanoTime();
      for (var call : begun) {
        assertThat(call("DELETE", "/v1/keys/" + call.key(), "alpha", "")).contains(" 204 ");
      }

      for (var call : begun) {
        var took = Duration.ofNanos(call.ended().get(1, TimeUnit.MINUTES) - revoked);
        assertThat(took).as("%s", call.call()).isLessThan(SOON);
        assertThat(call.answer().toString())
            .as("%s", call.call())
            .startsWith("HTTP/1.1 20")
            .contains(call.call().end());
      }
    }
  }

  private boolean isOpen(BegunCall call) {
    return call.answer().toString().contains(call.call().begin())
        && !call.ended().isDone()
        && jdbc.sql("select last_used_at is not null from api_key where id = ?")
            .param(call.key())
            .query(Boolean.class)
            .single();
  }

  /// @return when the answer has ended
  private long read(OpenCall call, String key, StringWriter answer) throws IOException {
    try (var socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
      var request =
          "%s %s HTTP/1.1\r\nHost: superstep.example\r\nAuthorization: Bearer %s\r\nConnection: close\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%s"
              .formatted(call.method(), call.path(), key, call.body().length(), call.body());
      socket.getOutputStream().write(request.getBytes(UTF_8));
      var in = new InputStreamReader(socket.getInputStream(), UTF_8);
      for (int it = in.read(); it >= 0; it = in.read()) {
        answer.append((char) it);
      }
      return System.nanoTime();
    }
  }

  private String make() throws IOException {
    var name = "ends-" + UUID.randomUUID();
    var made =
        call(
            "POST",
            "/v1/keys",
            "alpha",
            "{\"name\": \"%s\", \"scopes\": [\"read\", \"run\"]}".formatted(name));
    assertThat(made).startsWith("HTTP/1.1 201");
    return made;
  }

  private static String text(String answer, String member) {
    return answer.replaceAll("(?s).*\"" + member + "\":\"([^\"]+)\".*", "$1");
  }

  private String call(String method, String path, String key, String body) throws IOException {
    var headers =
        Stream.of(
            "Host: superstep.example",
            "Authorization: Bearer " + key,
            "Content-Type: application/json",
            "Content-Length: " + body.getBytes(UTF_8).length);
    return RawHttp.sendBody(method, port, path, body, headers.toArray(String[]::new));
  }
}
