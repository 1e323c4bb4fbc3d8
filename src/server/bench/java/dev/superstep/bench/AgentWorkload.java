package dev.superstep.bench;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Map;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/// Agents: 1,000 runs of the example's ReAct agent at a time, over HTTP, each of two or of eight
/// calls of a model that takes a second, with calls of a tool in between that take none, in a
/// service with a heap of 1 GiB.
final class AgentWorkload {
  private static final int RUNS = 1_000;
  private static final Duration CALL = Duration.ofSeconds(1);
  private static final int WARM_UP = 7;
  private static final int FEW = 2;
  private static final int MANY = 8;

  /// The graph that the figures of earlier releases were measured with.
  private static final Path REACT =
      Path.of("src/server/test/resources/language/old/react-agent.yaml");

  private static final String BODY =
      """
      {"graph": "react-agent",
       "input": {"messages": [{"role": "user", "content": "%d times: Paris"}]}}
      """;
  private final Bench bench;

  AgentWorkload(Bench bench) {
    this.bench = bench;
  }

  void run() throws Exception {
    try (var model = ModelServer.start(CALL);
        var service =
            ServiceChild.start(
                bench.freshDatabase(), bench.options().output(), "agents", settings(model.url()))) {
      try (var line = new HttpLine(service.url())) {
        line.postYaml("/v1/graphs", Files.readString(REACT)).orThrow();
      }
      for (int i = 0; i < WARM_UP; i++) {
        all(service.url(), FEW);
        all(service.url(), MANY);
      }
      bench.repeat(
          "Agents",
          () -> {
            measure(service, FEW);
            measure(service, MANY);
            model.check();
          });
    }
  }

  private void measure(ServiceChild service, int calls) throws Exception {
    Processes.resetPeak(service.pid());
    double before = Processes.cpuSeconds(service.pid());
    double seconds = all(service.url(), calls);
    var key = "agents " + calls;
    var label = "Agents, 1,000 runs of %d model calls of 1 s".formatted(calls);
    var figures = bench.figures();
    figures.add(Figure.of(key, label, "× ideal"), seconds / CALL.multipliedBy(calls).toSeconds());
    figures.add(
        Figure.of(key + " cpu", label + ", CPU of the service", "ms/run"),
        1_000 * (Processes.cpuSeconds(service.pid()) - before) / RUNS);
    figures.add(
        Figure.of(key + " rss", label + ", peak RSS with a heap of at most 1 GiB", "MiB"),
        Processes.peakBytes(service.pid()) / (double) (1 << 20));
  }

  private static Map<String, String> settings(String model) {
    return Map.of(
        "JAVA_TOOL_OPTIONS", "-Xmx1g",
        "SUPERSTEP_EGRESS_ALLOW", "127.0.0.1:*",
        "SUPERSTEP_MODELS_EXAMPLE_BASEURL", model + "/v1",
        "SUPERSTEP_MODELS_EXAMPLE_MODEL", "stub",
        "SUPERSTEP_TOOLS_HTTP_WEATHER_URL", model + "/weather/{city}",
        "SUPERSTEP_TOOLS_HTTP_WEATHER_METHOD", "GET",
        "SUPERSTEP_TOOLS_HTTP_WEATHER_DESCRIPTION", "Tells the weather of a city.",
        "SUPERSTEP_TOOLS_HTTP_WEATHER_PARAMETERS",
            "{\"type\": \"object\", \"properties\": {\"city\": {\"type\": \"string\"}},"
                + " \"required\": [\"city\"]}");
  }

  /// @return wall seconds from the first start to the last end
  private static double all(String url, int calls) throws Exception {
    var answers = new ArrayList<Future<?>>();
    long begun = System.nanoTime();
    try (var callers = Executors.newVirtualThreadPerTaskExecutor()) {
      for (int i = 0; i < RUNS; i++) {
        answers.add(callers.submit(() -> runAndWait(url, calls)));
      }
      for (var answer : answers) {
        answer.get();
      }
    }
    return (System.nanoTime() - begun) / 1e9;
  }

  private static Void runAndWait(String url, int calls) throws Exception {
    try (var line = new HttpLine(url)) {
      var answer = line.postJson("/v1/runs?wait=60s", BODY.formatted(calls - 1)).orThrow();
      if (!answer.body().contains("The tools say: sunny in Paris")) {
        throw new IllegalStateException("not the final state: " + answer);
      }
    }
    return null;
  }
}
