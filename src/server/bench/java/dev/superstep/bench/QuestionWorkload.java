package dev.superstep.bench;

import dev.superstep.state.value.ObjectValue;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.regex.Pattern;

/// W4: to the interrupt and to the resumed end; then runs that are left waiting.
final class QuestionWorkload {
  private static final Pattern INTERRUPT =
      Pattern.compile("\"interrupts\"\\s*:\\s*\\[\\s*\\{.*?\"id\"\\s*:\\s*\"([^\"]+)\"");
  private static final int WARM_UP = 5;
  private static final int WAITING = 1_000;
  private final Bench bench;

  QuestionWorkload(Bench bench) {
    this.bench = bench;
  }

  /// How long both halves took.
  record Halves(ConcurrentLinkedQueue<Long> asked, ConcurrentLinkedQueue<Long> answered) {
    Halves() {
      this(new ConcurrentLinkedQueue<>(), new ConcurrentLinkedQueue<>());
    }

    void report(Figures figures, String key, String label) {
      half(figures, asked, key + " ask", label + ", to the interrupt");
      half(figures, answered, key + " resume", label + ", from the answer to the end");
    }

    void reportNext(Figures figures, String key, String label) {
      half(figures, answered, key + " next", label + ", from the answer to the next commit");
    }

    private static void half(
        Figures figures, ConcurrentLinkedQueue<Long> nanos, String key, String label) {
      var sorted = nanos.stream().mapToLong(Long::longValue).sorted().toArray();
      var calls = new ClosedLoop.Calls(sorted, 1);
      figures.add(Figure.of(key + " p50", label + ", p50", "ms"), calls.millis(0.5));
      figures.add(Figure.of(key + " p99", label + ", p99", "ms"), calls.millis(0.99));
    }
  }

  void inProcess(LocalService service) throws Exception {
    service.post(WorkloadGraphs.question("w4"));
    service.post(WorkloadGraphs.lastQuestion("w4-last"));
    double seconds = bench.options().pace().seconds();
    loop(WARM_UP * seconds, 8, halves -> ask(service, "w4", halves));
    bench.repeat(
        "W4 in process",
        () -> {
          for (int callers : List.of(1, 8)) {
            var label = "W4 in process, %d at a time".formatted(callers);
            var halves = loop(seconds, callers, it -> ask(service, "w4", it));
            halves.report(bench.figures(), "W4 " + callers, label);
            loop(seconds, callers, it -> ask(service, "w4-last", it))
                .reportNext(bench.figures(), "W4 " + callers, label);
          }
        });
  }

  @FunctionalInterface
  private interface Asking {
    void ask(Halves halves) throws Exception;
  }

  private static Halves loop(double seconds, int callers, Asking asking) throws Exception {
    var halves = new Halves();
    Callable<?> caller =
        () -> {
          asking.ask(halves);
          return halves;
        };
    ClosedLoop.run(seconds, Collections.nCopies(callers, caller));
    return halves;
  }

  private static void ask(LocalService service, String graph, Halves halves)
      throws InterruptedException {
    long begun = System.nanoTime();
    var run = service.run(graph, ObjectValue.empty());
    halves.asked.add(System.nanoTime() - begun);
    var interrupt = service.interrupt(run);
    long answered = System.nanoTime();
    service.answer(interrupt, run);
    halves.answered.add(System.nanoTime() - answered);
    service.check(run, "counter", "w4".equals(graph) ? 2 : 1);
  }

  /// The same against a started service.
  void overHttp(String url) throws Exception {
    try (var line = new HttpLine(url)) {
      line.postYaml("/v1/graphs", WorkloadGraphs.question("w4")).orThrow();
    }
    http(url, OURS, 8, WARM_UP * bench.options().pace().seconds());
    bench.repeat(
        "W4 over HTTP",
        () -> {
          for (int callers : List.of(1, 8)) {
            http(url, OURS, callers, bench.options().pace().seconds())
                .report(
                    bench.figures(),
                    "W4 http " + callers,
                    "W4 over HTTP, %d at a time".formatted(callers));
          }
        });
  }

  /// How a caller gets a question and gives an answer.
  interface Dialogue {
    /// Starts a run and waits for its question.
    ///
    /// @return what the answer needs
    String ask(HttpLine line) throws IOException;

    /// Answers and waits for the end of the run.
    void answer(HttpLine line, String question) throws IOException;
  }

  /// With the paths of the service.
  static final Dialogue OURS =
      new Dialogue() {
        @Override
        public String ask(HttpLine line) throws IOException {
          var body = "{\"graph\":\"w4\",\"input\":{}}";
          var asked = line.postJson("/v1/runs?wait=30s", body).orThrow();
          var found = INTERRUPT.matcher(asked.body());
          if (!found.find()) {
            throw new IllegalStateException("no interrupt: " + asked.body());
          }
          return found.group(1);
        }

        @Override
        public void answer(HttpLine line, String question) throws IOException {
          var path = "/v1/interrupts/%s/answer?wait=30s".formatted(question);
          var ended = line.postJson(path, "{\"value\":\"yes\"}").orThrow();
          if (!ended.body().contains("\"status\":\"succeeded\"")) {
            throw new IllegalStateException("it did not succeed: " + ended.body());
          }
        }
      };

  static Halves http(String url, Dialogue dialogue, int callers, double seconds) throws Exception {
    var halves = new Halves();
    var lines = new ArrayList<HttpLine>();
    try {
      var loops = new ArrayList<Callable<?>>();
      for (int i = 0; i < callers; i++) {
        var line = new HttpLine(url);
        lines.add(line);
        loops.add(() -> halves.answered.add(ask(line, dialogue, halves)));
      }
      ClosedLoop.run(seconds, loops);
      return halves;
    } finally {
      for (var line : lines) {
        line.close();
      }
    }
  }

  private static long ask(HttpLine line, Dialogue dialogue, Halves halves) throws IOException {
    long begun = System.nanoTime();
    var question = dialogue.ask(line);
    halves.asked.add(System.nanoTime() - begun);
    long answered = System.nanoTime();
    dialogue.answer(line, question);
    return System.nanoTime() - answered;
  }

  /// What runs cost that wait for a person: rows, bytes and heap.
  void leftWaiting(LocalService service) throws Exception {
    int waiting = bench.options().waiting().orElse(WAITING);
    service.post(WorkloadGraphs.question("w4"));
    bench.sql().execute("vacuum");
    long heap = usedHeap();
    long bytes = bench.sql().tableBytes();
    long rows = bench.sql().rows();
    for (int i = 0; i < waiting; i++) {
      service.run("w4", ObjectValue.empty());
    }
    var label = "W4 %,d runs left waiting".formatted(waiting);
    var figures = bench.figures();
    figures.add(
        Figure.of("W4 waiting rows", label + ", rows", "/run"),
        (bench.sql().rows() - rows) / (double) waiting);
    figures.add(
        Figure.of("W4 waiting bytes", label + ", tables and indexes", "bytes/run"),
        (bench.sql().tableBytes() - bytes) / (double) waiting);
    figures.add(
        Figure.of("W4 waiting heap", label + ", heap", "bytes/run"),
        Math.max(0, usedHeap() - heap) / (double) waiting);
  }

  private static long usedHeap() {
    for (int i = 0; i < 3; i++) {
      System.gc();
    }
    var runtime = Runtime.getRuntime();
    return runtime.totalMemory() - runtime.freeMemory();
  }
}
