package dev.superstep.langgraph.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.http.ApiTest;
import dev.superstep.http.SseClient;
import dev.superstep.langgraph.FaceClient;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.test.web.server.LocalServerPort;

/// Runs without a thread, and several at once.
@ApiTest
class StatelessRunApiTests {
  @LocalServerPort private int port;
  private FaceClient face = new FaceClient(0);

  @BeforeEach
  void connects() {
    face = new FaceClient(port);
    List.of(ChatGraphs.ECHO, ChatGraphs.ASKS, ChatGraphs.LONG, ChatGraphs.RESTS)
        .forEach(face::graph);
  }

  @Test
  void waitsForARunWithoutAThread() {
    var body = "{\"assistant_id\": \"lg-echo\", \"input\": {\"messages\": \"hi\"}}";
    var reply = face.post("/runs/wait", body).ok();
    assertThat(reply.at("/messages/1/content")).isEqualTo("You said hi");
    var run = reply.header("Content-Location").replace("/runs/", "");
    assertThat(face.get("/threads/%s/runs/%s".formatted(run, run)).ok().at("/status"))
        .isEqualTo("success");
    assertThat(face.send("GET", "/v1/runs/" + run, null).ok().at("/thread_id")).isEmpty();
  }

  @Test
  void streamsARunWithoutAThread() {
    var body = "{\"assistant_id\": \"lg-echo\", \"input\": {\"messages\": \"hi\"}}";
    try (var stream = SseClient.post(port, "/langgraph/runs/stream", body)) {
      var all = stream.rest();
      assertThat(all.getLast().text("/messages/1/content")).isEqualTo("You said hi");
      var run = all.getFirst().text("/run_id");
      assertThat(stream.header("Content-Location")).isEqualTo("/runs/" + run);
      var path = "/langgraph/runs/%s/stream".formatted(run);
      try (var again = SseClient.get(port, path, "Last-Event-ID", "-1")) {
        assertThat(again.rest()).isEqualTo(all);
      }
    }
  }

  @Test
  void keepsAThreadIfAsked() {
    var body = "{\"assistant_id\": \"lg-asks\", \"input\": {}, \"on_completion\": \"keep\"}";
    var run = face.post("/runs", body).ok();
    var thread = run.at("/thread_id");
    assertThat(thread).isNotEqualTo(run.at("/run_id"));
    var joined = face.get("/threads/%s/runs/%s/join".formatted(thread, run.at("/run_id"))).ok();
    assertThat(joined.at("/__interrupt__/0/value/question")).isEqualTo("Well?");
    assertThat(face.send("GET", "/v1/threads/" + thread, null).ok().at("/status"))
        .isEqualTo("interrupted");
  }

  @Test
  void refusesToGoOnWithNothing() {
    face.post("/runs/wait", "{\"assistant_id\": \"lg-echo\"}").is(422, "invalid_value");
    face.post("/runs/wait", "{\"input\": {}}").is(422, "invalid_value");
  }

  @Test
  void beginsABatchAndCancelsThoseOfAThread() {
    var batch =
        """
        [{"assistantId": "lg-echo", "input": {}, "multitaskStrategy": "enqueue"},
         {"assistant_id": "lg-echo", "input": {}}]\
        """;
    var runs = face.post("/runs/batch", batch).ok();
    assertThat(runs.list().size()).isEqualTo(2);
    assertThat(runs.at("/0/run_id")).isNotEqualTo(runs.at("/1/run_id"));
    assertThat(runs.at("/0/multitask_strategy")).isEqualTo("enqueue");

    var thread = UUID.randomUUID().toString();
    var body =
        """
        {"assistant_id": "lg-long", "input": {}, "if_not_exists": "create",
         "multitask_strategy": "enqueue"}\
        """;
    var path = "/threads/%s/runs".formatted(thread);
    var first = face.post(path, body).ok();
    var second = face.post(path, body).ok();
    assertThat(second.at("/status")).isEqualTo("pending");
    var cancel = "{\"thread_id\": \"%s\", \"status\": \"all\"}".formatted(thread);
    assertThat(face.post("/runs/cancel", cancel).status()).isEqualTo(204);
    face.get(path + "/%s/join".formatted(first.at("/run_id"))).ok();
    assertThat(face.get(path + "/" + first.at("/run_id")).ok().at("/status"))
        .isEqualTo("interrupted");
    assertThat(face.get(path + "/" + second.at("/run_id")).ok().at("/status"))
        .isEqualTo("interrupted");
    assertThat(face.get(path + "?status=interrupted&limit=1").ok().list().size()).isEqualTo(1);
  }

  /// A picture or a link on any page reaches a server without keys by a browser on its machine.
  @ParameterizedTest
  @ValueSource(strings = {"join", "stream"})
  void cancelsNothingForPagesOfOtherSites(String call) {
    var run = face.post("/runs", "{\"assistant_id\": \"lg-rests\", \"input\": {}}").ok();
    var path = "/langgraph/threads/%1$s/runs/%1$s/%2$s".formatted(run.at("/run_id"), call);
    var cancels = path + "?cancel_on_disconnect=true";
    for (var mode : List.of("no-cors", "navigate")) {
      face.send("GET", cancels, null, "Sec-Fetch-Site", "cross-site", "Sec-Fetch-Mode", mode)
          .is(403, "forbidden");
    }
    var own = new String[] {"Sec-Fetch-Site", "cross-site", "Origin", "http://localhost:3000"};
    try (var page = SseClient.get(port, cancels, own)) {
      assertThat(page.status()).isEqualTo(200);
    }
    var at = "/threads/%1$s/runs/%1$s".formatted(run.at("/run_id"));
    face.get(at + "/join").ok();
    assertThat(face.get(at).at("/status")).isEqualTo("interrupted");
  }
}
