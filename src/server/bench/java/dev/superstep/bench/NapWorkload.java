package dev.superstep.bench;

import dev.superstep.bench.WorkloadGraphs.Purity;
import dev.superstep.state.value.ObjectValue;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/// W5: 1,000 runs at a time of a chain of three nodes that sleep 100 ms.
final class NapWorkload {
  private static final int RUNS = 1_000;
  private static final int NODES = 3;
  private static final int WARM_UP = 12;
  private static final double IDEAL_SECONDS = 0.3;
  private final Bench bench;
  private final LocalService service;

  NapWorkload(Bench bench, LocalService service) {
    this.bench = bench;
    this.service = service;
  }

  void run() throws Exception {
    service.post(WorkloadGraphs.chain("w5-chain", NODES, "benchNapStep", Purity.EFFECTFUL));
    for (int i = 0; i < WARM_UP; i++) {
      all();
    }
    bench.repeat(
        "W5 runs",
        () -> {
          long pid = ProcessHandle.current().pid();
          Processes.resetPeak(pid);
          double seconds = all();
          var label = "W5 1,000 runs of three sleeps of 100 ms";
          bench.figures().add(Figure.of("W5 runs", label, "× ideal"), seconds / IDEAL_SECONDS);
          bench
              .figures()
              .add(
                  Figure.of("W5 runs rss", label + ", peak RSS", "MiB"),
                  Processes.peakBytes(pid) / (double) (1 << 20));
        });
  }

  /// @return wall seconds from the first start to the last end
  private double all() throws Exception {
    var runs = new ArrayList<Future<String>>();
    var ids = new ArrayList<String>();
    long begun = System.nanoTime();
    try (var callers = Executors.newVirtualThreadPerTaskExecutor()) {
      for (int i = 0; i < RUNS; i++) {
        runs.add(callers.submit(() -> service.run("w5-chain", ObjectValue.empty())));
      }
      for (var run : runs) {
        ids.add(run.get());
      }
    }
    double seconds = (System.nanoTime() - begun) / 1e9;
    for (var id : List.of(ids.getFirst(), ids.getLast())) {
      service.check(id, "counter", NODES);
    }
    return seconds;
  }
}
