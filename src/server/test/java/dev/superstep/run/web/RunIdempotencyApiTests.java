package dev.superstep.run.web;

import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.client.model.ForkRun;
import dev.superstep.client.model.RunSummary;
import dev.superstep.http.ApiTest;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.boot.test.web.server.LocalServerPort;

/// I11: as many runs as there are distinct keys.
@ApiTest
class RunIdempotencyApiTests {
  @LocalServerPort private int port;
  private Api api = new Api(0);

  @BeforeEach
  void connects() {
    api = new Api(port);
    api.graph(Graphs.counter("once-counter", 2));
  }

  @Test
  void startsOneRunPerKey() {
    var request = Api.start("once-counter", Map.of()).metadata(Map.of("case", "one-per-key"));
    var first = api.runs.startRunWithHttpInfo(request, "start-1", null);
    var second = api.runs.startRunWithHttpInfo(request, "start-1", "30s");

    assertThat(first.getBody()).isNotNull();
    assertThat(second.getBody()).isNotNull();
    assertThat(second.getBody().getId()).isEqualTo(first.getBody().getId());
    assertThat(first.getHeaders().getFirst("Idempotency-Replayed")).isNull();
    assertThat(second.getHeaders().getFirst("Idempotency-Replayed")).isEqualTo("true");
    assertThat(first.getStatusCode().value()).isEqualTo(202);
    assertThat(second.getStatusCode().value()).isEqualTo(200);
    assertThat(count("one-per-key")).isEqualTo(1);
  }

  @Test
  void takesTheSameBodyInAnotherOrderForTheSame() {
    var first =
        api.post(
            "/v1/runs",
            "{\"graph\":\"once-counter\",\"input\":{\"a\":1,\"b\":2}}",
            "Idempotency-Key",
            "order-1");
    var second =
        api.post(
            "/v1/runs",
            "{ \"input\": {\"b\": 2, \"a\": 1}, \"graph\": \"once-counter\" }",
            "Idempotency-Key",
            "order-1");

    assertThat(second.statusCode()).as(second.body()).isEqualTo(202);
    assertThat(Api.at(second, "/id")).isEqualTo(Api.at(first, "/id"));
  }

  @Test
  void refusesTheKeyWithAnotherBody() {
    api.runs.startRun(Api.start("once-counter", Map.of("a", 1)), "reused-1", null);

    Api.assertRefused(
        () -> api.runs.startRun(Api.start("once-counter", Map.of("a", 2)), "reused-1", null),
        422,
        "idempotency_key_reused");
  }

  @Test
  void doesNotKeepRefusals() {
    var wrong = Api.start("no-such-graph", Map.of());
    Api.assertRefused(() -> api.runs.startRun(wrong, "refused-1", null), 404, "graph_not_found");

    var right =
        api.runs.startRunWithHttpInfo(Api.start("once-counter", Map.of()), "refused-1", null);
    assertThat(right.getHeaders().getFirst("Idempotency-Replayed")).isNull();
  }

  @Test
  void refusesKeysThatAreNone() {
    for (var key : List.of(" ", "a b", "x".repeat(256))) {
      var body = "{\"graph\":\"once-counter\",\"input\":{}}";
      Api.assertProblem(api.post("/v1/runs", body, "Idempotency-Key", key), 422, "invalid_header");
    }
  }

  @Test
  void startsOneRunHoweverManyAskAtOnce() throws Exception {
    var body = "{\"graph\":\"once-counter\",\"input\":{},\"metadata\":{\"case\":\"at-once\"}}";
    Callable<Integer> call =
        () -> api.post("/v1/runs", body, "Idempotency-Key", "at-once-1").statusCode();
    var statuses = new ArrayList<Integer>();
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      var calls = List.of(call, call, call, call, call, call, call, call);
      for (var answer : threads.invokeAll(calls)) {
        statuses.add(answer.get());
      }
    }

    assertThat(statuses).contains(202).allMatch(it -> it == 202 || it == 409);
    assertThat(count("at-once")).isEqualTo(1);
  }

  @Test
  void forksOncePerKey() {
    var run = api.run("once-counter", Map.of()).getId();
    var request = new ForkRun().checkpoint(1);

    var first = api.runs.forkRun(run, request, "fork-1", null);
    var second = api.runs.forkRun(run, request, "fork-1", "30s");

    assertThat(second.getId()).isEqualTo(first.getId());
  }

  private long count(String what) {
    return api
        .runs
        .searchRuns(null, null, null, null, null, List.of("case:" + what), null, null, null, null)
        .getItems()
        .stream()
        .map(RunSummary::getId)
        .distinct()
        .count();
  }
}
