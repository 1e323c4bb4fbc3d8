package dev.superstep.bench;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.regex.Pattern;

/// W6: W1 over HTTP against a service in another process; the answer is the final state.
final class HttpWorkload {
  /// A chain that is posted as a graph of this name.
  record Chain(String graph, int nodes) {
    String body() {
      return "{\"graph\":\"%s\",\"input\":{}}".formatted(graph);
    }

    Pattern counted() {
      return Pattern.compile("\"counter\"\\s*:\\s*%d\\b".formatted(nodes));
    }

    void post(String url) throws IOException {
      try (var line = new HttpLine(url)) {
        line.postYaml("/v1/graphs", WorkloadGraphs.chain(graph, nodes, "benchStep")).orThrow();
      }
    }
  }

  static final Chain W1 = new Chain("w1", KernelRuns.CHAIN);
  static final int WARM_UP_SECONDS = 60;
  private static final Chain ONE_NODE = new Chain("w6-one", 1);
  private final Bench bench;

  HttpWorkload(Bench bench) {
    this.bench = bench;
  }

  void run(String url) throws Exception {
    W1.post(url);
    ONE_NODE.post(url);
    loop(url, W1, 64, WARM_UP_SECONDS);
    bench.repeat(
        "W6",
        () -> {
          for (int connections : List.of(1, 8, 64)) {
            loop(url, W1, connections, bench.options().pace().seconds() / 4);
            report(
                "W6 " + connections,
                "W6 run and wait, %d connections".formatted(connections),
                loop(url, W1, connections, bench.options().pace().seconds()));
          }
          oneNode(url);
        });
  }

  /// Beside a commit of one row, which is what a durable run takes at least.
  private void oneNode(String url) throws Exception {
    double seconds = bench.options().pace().seconds();
    double commits = bench.commits().perSecond(1, Math.min(2, seconds));
    loop(url, ONE_NODE, 1, seconds / 4);
    var calls = loop(url, ONE_NODE, 1, seconds);
    report("W6 one node", "W6 one node, 1 connection", calls);
    bench
        .figures()
        .add(
            Figure.of("W6 one node commits", "W6 one node, p50 ÷ a raw commit", "×"),
            calls.millis(0.5) * commits / 1000);
  }

  private void report(String key, String label, ClosedLoop.Calls calls) {
    bench.figures().add(Figure.of(key, label, "runs/s"), calls.perSecond());
    bench.figures().add(Figure.of(key + " p50", label + ", p50", "ms"), calls.millis(0.5));
    bench.figures().add(Figure.of(key + " p99", label + ", p99", "ms"), calls.millis(0.99));
  }

  /// @param chain posted before
  static ClosedLoop.Calls loop(String url, Chain chain, int connections, double seconds)
      throws Exception {
    var lines = new ArrayList<HttpLine>();
    try {
      var counted = chain.counted();
      var callers = new ArrayList<Callable<?>>();
      for (int i = 0; i < connections; i++) {
        var line = new HttpLine(url);
        lines.add(line);
        callers.add(() -> runAndWait(line, chain.body(), counted));
      }
      return ClosedLoop.run(seconds, callers);
    } finally {
      for (var line : lines) {
        line.close();
      }
    }
  }

  private static int runAndWait(HttpLine line, String body, Pattern counted) throws Exception {
    var answer = line.postJson("/v1/runs?wait=30s", body).orThrow();
    if (answer.status() != 200 || !counted.matcher(answer.body()).find()) {
      throw new IllegalStateException("not the final state: " + answer);
    }
    return answer.status();
  }
}
