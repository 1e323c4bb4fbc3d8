package dev.superstep.bench;

import java.nio.file.Path;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;

/// START: how long a new process takes to its first answer and to its first finished run, what that
/// costs it, what it does when nobody calls, and how much of its later rate it has after ten
/// seconds under load; as in the image, if there is a layout, in turns with `java -jar`.
final class StartWorkload {
  private static final int CONNECTIONS = 8;
  private static final int IDLE_SECONDS = 10;
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
    bench.repeat(
        "START",
        () -> {
          double jar = measure("jar", ServiceChild.kind(), () -> startJar(folder));
          if (layout.isPresent()) {
            double image = measure("image", "as in the image", () -> startLayout(folder));
            add("peak ratio", "START as in the image ÷ jar, W6e after 60 s", "×", image / jar);
          }
        });
  }

  private ServiceChild startJar(Path folder) throws Exception {
    return ServiceChild.start(bench.freshDatabase(), folder, "start");
  }

  private ServiceChild startLayout(Path folder) throws Exception {
    return ServiceChild.startLayout(
        bench.freshDatabase(), folder, bench.options().layout().orElseThrow());
  }

  /// Returns the rate after 60 s under load.
  private double measure(String key, String how, Callable<ServiceChild> start) throws Exception {
    var label = "START " + how;
    long begun = System.nanoTime();
    try (var service = start.call()) {
      long pid = service.pid();
      add(key + " answer", label + ", to the first answer", "s", secondsSince(begun));
      HttpWorkload.firstRun(service.url(), HttpWorkload.EFFECTFUL);
      double cpu = Processes.cpuSeconds(pid);
      add(key + " seconds", label + ", to the first finished run", "s", secondsSince(begun));
      add(key + " cpu", label + ", CPU to the first finished run", "s", cpu);
      TimeUnit.SECONDS.sleep(IDLE_SECONDS);
      double idle = Processes.cpuSeconds(pid) - cpu;
      add(key + " idle", label + ", CPU of the ten idle seconds behind it", "s", idle);
      double resident = Processes.residentBytes(pid) / (double) (1 << 20);
      add(key + " memory", label + ", idle", "MiB", resident);
      return underLoad(key, label, service.url());
    }
  }

  private double underLoad(String key, String label, String url) throws Exception {
    load(url, EARLY_SECONDS - WINDOW_SECONDS / 2);
    double early = load(url, WINDOW_SECONDS);
    load(url, LATE_SECONDS - EARLY_SECONDS - WINDOW_SECONDS);
    double late = load(url, WINDOW_SECONDS);
    add(key + " early", label + ", W6e with 8 connections after 10 s", "runs/s", early);
    add(key + " late", label + ", W6e with 8 connections after 60 s", "runs/s", late);
    add(key + " early ratio", label + ", after 10 s ÷ after 60 s", "×", early / late);
    return late;
  }

  private static double load(String url, double seconds) throws Exception {
    return HttpWorkload.loop(url, HttpWorkload.EFFECTFUL, CONNECTIONS, seconds).perSecond();
  }

  private static double secondsSince(long begun) {
    return (System.nanoTime() - begun) / 1e9;
  }

  private void add(String key, String label, String unit, double value) {
    bench.figures().add(Figure.of("START " + key, label, unit), value);
  }
}
