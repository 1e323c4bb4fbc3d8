package dev.superstep.bench;

import dev.superstep.bench.WorkloadGraphs.Purity;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.regex.Pattern;

/// W6 and W6e: W1 and W1e over HTTP against a service in another process; the answer is the final
/// state.
final class HttpWorkload {
  /// A chain that is posted as a graph of this name.
  ///
  /// @param path starts a run and waits for its end
  record Chain(String graph, int nodes, Purity pure, String path) {
    Chain(String graph, int nodes, Purity pure) {
      this(graph, nodes, pure, "/v1/runs?wait=30s");
    }

    String body() {
      return "{\"graph\":\"%s\",\"input\":{}}".formatted(graph);
    }

    Pattern counted() {
      return Pattern.compile("\"counter\"\\s*:\\s*%d\\b".formatted(nodes));
    }

    void post(String url) throws IOException {
      try (var line = new HttpLine(url)) {
        line.postYaml("/v1/graphs", WorkloadGraphs.chain(graph, nodes, "benchStep", pure))
            .orThrow();
      }
    }
  }

  static final Chain PURE = new Chain("w1", KernelRuns.CHAIN, Purity.PURE);
  static final Chain EFFECTFUL = new Chain("w1e", KernelRuns.CHAIN, Purity.EFFECTFUL);
  static final int WARM_UP_SECONDS = 60;
  private static final Chain ONE_NODE = new Chain("w6-one", 1, Purity.EFFECTFUL);
  private final Bench bench;

  HttpWorkload(Bench bench) {
    this.bench = bench;
  }

  void run(String url) throws Exception {
    for (var chain : List.of(PURE, EFFECTFUL, ONE_NODE)) {
      chain.post(url);
    }
    loop(url, PURE, 64, WARM_UP_SECONDS / 2.0);
    loop(url, EFFECTFUL, 64, WARM_UP_SECONDS / 2.0);
    bench.repeat(
        "W6",
        () -> {
          for (int connections : List.of(1, 8, 64)) {
            measure(url, PURE, "W6 %d", "W6 pure nodes, %d connections", connections);
            measure(
                url,
                EFFECTFUL,
                "W6e %d",
                "W6e nodes that may call out, %d connections",
                connections);
          }
          oneNode(url);
        });
  }

  private void measure(String url, Chain chain, String key, String label, int connections)
      throws Exception {
    loop(url, chain, connections, bench.options().pace().seconds() / 4);
    report(
        key.formatted(connections),
        label.formatted(connections),
        loop(url, chain, connections, bench.options().pace().seconds()));
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
        callers.add(() -> runAndWait(line, chain, counted));
      }
      return ClosedLoop.run(seconds, callers);
    } finally {
      for (var line : lines) {
        line.close();
      }
    }
  }

  /// Posts a chain and runs it once.
  static void firstRun(String url, Chain chain) throws Exception {
    chain.post(url);
    try (var line = new HttpLine(url)) {
      runAndWait(line, chain, chain.counted());
    }
  }

  private static int runAndWait(HttpLine line, Chain chain, Pattern counted) throws Exception {
    var answer = line.postJson(chain.path(), chain.body()).orThrow();
    if (answer.status() != 200 || !counted.matcher(answer.body()).find()) {
      throw new IllegalStateException("not the final state: " + answer);
    }
    return answer.status();
  }
}
