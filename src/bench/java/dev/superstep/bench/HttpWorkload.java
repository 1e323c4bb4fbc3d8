package dev.superstep.bench;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.regex.Pattern;

/// W6: W1 over HTTP against a service in another process; the answer is the final state.
final class HttpWorkload {
  private static final Pattern COUNTER = Pattern.compile("\"counter\"\\s*:\\s*10\\b");
  private static final String BODY = "{\"graph\":\"w1\",\"input\":{}}";
  private static final int WARM_UP_SECONDS = 60;
  private final Bench bench;

  HttpWorkload(Bench bench) {
    this.bench = bench;
  }

  void run(String url) throws Exception {
    try (var line = new HttpLine(url)) {
      line.postYaml("/v1/graphs", WorkloadGraphs.chain("w1", KernelRuns.CHAIN, "benchStep"))
          .orThrow();
    }
    loop(url, 64, WARM_UP_SECONDS);
    bench.repeat(
        "W6",
        () -> {
          for (int connections : List.of(1, 8, 64)) {
            loop(url, connections, bench.options().pace().seconds() / 4);
            var calls = loop(url, connections, bench.options().pace().seconds());
            var key = "W6 " + connections;
            var label = "W6 run and wait, %d connections".formatted(connections);
            bench.figures().add(Figure.of(key, label, "runs/s"), calls.perSecond());
            bench.figures().add(Figure.of(key + " p50", label + ", p50", "ms"), calls.millis(0.5));
            bench.figures().add(Figure.of(key + " p99", label + ", p99", "ms"), calls.millis(0.99));
          }
        });
  }

  private static ClosedLoop.Calls loop(String url, int connections, double seconds)
      throws Exception {
    var lines = new ArrayList<HttpLine>();
    try {
      var callers = new ArrayList<Callable<?>>();
      for (int i = 0; i < connections; i++) {
        var line = new HttpLine(url);
        lines.add(line);
        callers.add(() -> runAndWait(line));
      }
      return ClosedLoop.run(seconds, callers);
    } finally {
      for (var line : lines) {
        line.close();
      }
    }
  }

  private static int runAndWait(HttpLine line) throws Exception {
    var answer = line.postJson("/v1/runs?wait=30s", BODY).orThrow();
    if (answer.status() != 200 || !COUNTER.matcher(answer.body()).find()) {
      throw new IllegalStateException("not the final state: " + answer);
    }
    return answer.status();
  }
}
