package dev.superstep.bench;

import dev.superstep.json.Json;
import dev.superstep.state.value.ListValue;
import dev.superstep.state.value.ObjectValue;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicBoolean;

/// W9: a run of one node that calls a web service, beside one whose node is a task of a worker,
/// both on this machine and without work of their own.
final class TaskWorkload {
  private static final int WARM_UP = 3;
  private static final String GRAPHS =
      """
      name: w9-http
      channels: { weather: {} }
      nodes:
        - { id: call, type: http, config: { mode: request, url: "%s/weather/Paris", result: { update: { weather: "{{ response.body }}" } } } }
      edges: [{ from: __start__, to: call }]
      ---
      name: w9-task
      channels: { weather: {} }
      nodes:
        - { id: call, type: worker, config: { task_type: weather, result: { update: { weather: "{{ response.weather }}" } } } }
      edges: [{ from: __start__, to: call }]
      """;
  private static final String OUTCOME =
      "{\"token\":\"%s\",\"result\":{\"weather\":\"sunny in Paris\"}}";
  private final Bench bench;

  TaskWorkload(Bench bench) {
    this.bench = bench;
  }

  void run() throws Exception {
    try (var web = ModelServer.start(Duration.ZERO);
        var service =
            ServiceChild.start(
                bench.freshDatabase(),
                bench.options().output(),
                "tasks",
                Map.of("SUPERSTEP_EGRESS_ALLOW", "127.0.0.1:*"))) {
      try (var line = new HttpLine(service.url())) {
        for (var graph : GRAPHS.formatted(web.url()).split("---\n", -1)) {
          line.postYaml("/v1/graphs", graph).orThrow();
        }
      }
      measure(service.url());
      web.check();
    }
  }

  private void measure(String url) throws Exception {
    double seconds = WARM_UP * bench.options().pace().seconds();
    loop(url, "w9-http", seconds);
    tasks(url, seconds);
    bench.repeat("W9", () -> report(url));
  }

  private static ClosedLoop.Calls tasks(String url, double seconds) throws Exception {
    var over = new AtomicBoolean();
    try (var worker = Executors.newSingleThreadExecutor()) {
      var works = worker.submit(() -> work(url, over));
      try {
        return loop(url, "w9-task", seconds);
      } finally {
        over.set(true);
        works.get();
      }
    }
  }

  private void report(String url) throws Exception {
    double seconds = bench.options().pace().seconds();
    double http = loop(url, "w9-http", seconds).millis(0.5);
    double task = tasks(url, seconds).millis(0.5);
    var figures = bench.figures();
    figures.add(Figure.of("W9 http", "W9 a run of one http node, p50", "ms"), http);
    figures.add(Figure.of("W9 task", "W9 a run of one task of a worker, p50", "ms"), task);
    figures.add(Figure.of("W9", "W9 a task of a worker over an http node", "ms"), task - http);
  }

  private static ClosedLoop.Calls loop(String url, String graph, double seconds) throws Exception {
    try (var line = new HttpLine(url)) {
      var body = "{\"graph\":\"%s\",\"input\":{}}".formatted(graph);
      var run =
          (Callable<HttpLine.Answer>)
              () -> {
                var answer = line.postJson("/v1/runs?wait=30s", body).orThrow();
                if (!answer.body().contains("sunny in Paris")) {
                  throw new IllegalStateException("not the final state: " + answer);
                }
                return answer;
              };
      return ClosedLoop.run(seconds, List.of(run));
    }
  }

  /// As the clients do: a claim is open while what the last one has handed out is ended.
  private static Void work(String url, AtomicBoolean over) throws Exception {
    try (var claims = new HttpLine(url);
        var outcomes = new HttpLine(url);
        var handler = Executors.newSingleThreadExecutor()) {
      while (!over.get()) {
        var answer = claims.postJson("/v1/tasks/claim?type=weather&max=10&wait=1s", "").orThrow();
        for (var task : (ListValue) ((ObjectValue) Json.read(answer.body())).get("items")) {
          handler.submit(() -> end(outcomes, (ObjectValue) task));
        }
      }
    }
    return null;
  }

  private static HttpLine.Answer end(HttpLine line, ObjectValue task) throws IOException {
    var path = "/v1/tasks/%s/outcome".formatted(task.text("id"));
    return line.postJson(path, OUTCOME.formatted(task.text("token"))).orThrow();
  }
}
