package dev.superstep.bench;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

/// W8: many runs that wait for a person, over HTTP: what they take, how soon any of them goes on,
/// and thousands of answers at once.
final class WaitingWorkload {
  private static final int WAITING = 100_000;
  private static final int CONNECTIONS = 64;
  private static final int SINGLE = 200;
  private static final int AT_ONCE = 10_000;
  private static final long DEADLINE_MINUTES = 10;
  private static final long POLL_MS = 100;
  private final Bench bench;

  WaitingWorkload(Bench bench) {
    this.bench = bench;
  }

  void run() throws Exception {
    int waiting = bench.options().waiting().orElse(WAITING);
    try (var engine = Engine.start(Engine.Kind.OURS, bench)) {
      engine.postGraphs();
      System.out.printf("%nW8%n");
      long rows = engine.database().rows();
      long bytes = engine.database().tableBytes();
      add("memory before", "resident memory with none", "MiB", mebibytes(engine));
      long begun = System.nanoTime();
      var questions = ask(engine.url(), waiting);
      var label = "%,d runs wait: ".formatted(waiting);
      add("starts", label + "started", "runs/s", waiting / seconds(begun));
      add("rows", label + "rows", "/run", (engine.database().rows() - rows) / (double) waiting);
      add(
          "bytes",
          label + "tables and indexes",
          "bytes/run",
          (engine.database().tableBytes() - bytes) / (double) waiting);
      add("memory", label + "resident memory", "MiB", mebibytes(engine));
      Collections.shuffle(questions, new Random(1));
      int single = Math.min(SINGLE, waiting / 2);
      answerSingly(engine.url(), questions.subList(0, single));
      int last = Math.min(waiting, single + AT_ONCE);
      answerAtOnce(engine, questions.subList(single, last), last);
    }
  }

  private static List<String> ask(String url, int count) throws Exception {
    var questions = new ConcurrentLinkedQueue<String>();
    share(
        url,
        Collections.nCopies(count, ""),
        (line, _) -> questions.add(QuestionWorkload.OURS.ask(line)));
    return new ArrayList<>(questions);
  }

  private void answerSingly(String url, List<String> questions) throws Exception {
    var nanos = new long[questions.size()];
    try (var line = new HttpLine(url)) {
      for (int i = 0; i < nanos.length; i++) {
        long begun = System.nanoTime();
        QuestionWorkload.OURS.answer(line, questions.get(i));
        nanos[i] = System.nanoTime() - begun;
      }
    }
    Arrays.sort(nanos);
    var calls = new ClosedLoop.Calls(nanos, 1);
    var label = "%d random ones, from the answer to the end".formatted(nanos.length);
    add("p50", label + ", p50", "ms", calls.millis(0.5));
    add("p99", label + ", p99", "ms", calls.millis(0.99));
  }

  /// @param ended so many runs have succeeded when all are through
  private void answerAtOnce(Engine engine, List<String> questions, int ended) throws Exception {
    long begun = System.nanoTime();
    share(
        engine.url(),
        questions,
        (line, it) ->
            line.postJson("/v1/interrupts/" + it + "/answer", "{\"value\":\"yes\"}").orThrow());
    var label = "%,d answers at once".formatted(questions.size());
    add("accepted", label + ", until the last is accepted", "s", seconds(begun));
    while (succeeded(engine.database()) < ended) {
      if (seconds(begun) > TimeUnit.MINUTES.toSeconds(DEADLINE_MINUTES)) {
        throw new IllegalStateException("%s: not all have succeeded".formatted(label));
      }
      Thread.sleep(POLL_MS);
    }
    add("all", label + ", until the last run has succeeded", "s", seconds(begun));
    add("rate", label, "answers/s", questions.size() / seconds(begun));
  }

  private static long succeeded(Sql database) throws Exception {
    return database.number("select count(*) from run where status = 'succeeded'");
  }

  @FunctionalInterface
  private interface Call {
    void make(HttpLine line, String item) throws Exception;
  }

  /// Calls once for each item, by all connections.
  private static void share(String url, List<String> items, Call call) throws Exception {
    var rest = new ConcurrentLinkedQueue<>(items);
    Callable<?> caller =
        () -> {
          try (var line = new HttpLine(url)) {
            for (var item = rest.poll(); item != null; item = rest.poll()) {
              call.make(line, item);
            }
          }
          return url;
        };
    try (var threads = Executors.newFixedThreadPool(CONNECTIONS)) {
      for (Future<?> done : threads.invokeAll(Collections.nCopies(CONNECTIONS, caller))) {
        done.get();
      }
    }
  }

  private static double seconds(long begun) {
    return (System.nanoTime() - begun) / 1e9;
  }

  private static double mebibytes(Engine engine) {
    return engine.residentBytes() / (double) (1 << 20);
  }

  private void add(String key, String label, String unit, double value) {
    bench.figures().add(Figure.of("W8 " + key, "W8 " + label, unit), value);
  }
}
