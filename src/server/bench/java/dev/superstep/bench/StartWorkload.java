package dev.superstep.bench;

import java.util.concurrent.Callable;

/// START: how long a new process takes to its first answer, what that costs it, and how much of its
/// later rate it has after ten seconds under load.
final class StartWorkload {
  private static final int CONNECTIONS = 8;
  private static final int IDLE_SECONDS = 15;
  private static final double WINDOW_SECONDS = 4;
  private static final double EARLY_SECONDS = 10;
  private static final double LATE_SECONDS = 60;
  private final Bench bench;

  StartWorkload(Bench bench) {
    this.bench = bench;
  }

  void run() throws Exception {
    var folder = bench.options().output();
    var layout = bench.options().layout();
    if (layout.isPresent()) {
      repeat(
          "as in the image",
          () -> ServiceChild.startLayout(bench.freshDatabase(), folder, layout.get()));
    } else {
      repeat("java -jar", () -> ServiceChild.start(bench.freshDatabase(), folder, "start"));
    }
  }

  private void repeat(String how, Callable<ServiceChild> start) throws Exception {
    bench.repeat("START " + how, () -> measure("START " + how, start));
  }

  private void measure(String label, Callable<ServiceChild> start) throws Exception {
    long begun = System.nanoTime();
    try (var service = start.call()) {
      double seconds = (System.nanoTime() - begun) / 1e9;
      double cpu = Processes.cpuSeconds(service.pid());
      add("seconds", label + ", to the first answer", "s", seconds);
      add("cpu", label + ", CPU to the first answer", "s", cpu);
      Thread.sleep(IDLE_SECONDS * 1000L);
      add(
          "memory",
          label + ", idle",
          "MiB",
          Processes.residentBytes(service.pid()) / (double) (1 << 20));
      underLoad(label, service.url());
    }
  }

  private void underLoad(String label, String url) throws Exception {
    HttpWorkload.EFFECTFUL.post(url);
    load(url, EARLY_SECONDS - WINDOW_SECONDS / 2);
    double early = load(url, WINDOW_SECONDS);
    load(url, LATE_SECONDS - EARLY_SECONDS - WINDOW_SECONDS);
    double late = load(url, WINDOW_SECONDS);
    add("early", label + ", W6e with 8 connections after 10 s", "runs/s", early);
    add("late", label + ", W6e with 8 connections after 60 s", "runs/s", late);
    add("early ratio", label + ", after 10 s ÷ after 60 s", "×", early / late);
  }

  private static double load(String url, double seconds) throws Exception {
    return HttpWorkload.loop(url, HttpWorkload.EFFECTFUL, CONNECTIONS, seconds).perSecond();
  }

  private void add(String key, String label, String unit, double value) {
    bench.figures().add(Figure.of("START " + key, label, unit), value);
  }
}
