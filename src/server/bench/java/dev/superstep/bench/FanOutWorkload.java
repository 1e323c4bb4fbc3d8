package dev.superstep.bench;

import dev.superstep.bench.WorkloadGraphs.Purity;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.state.value.Value;
import java.util.List;

/// W2: planner → one worker for each item → join. And W5, where workers sleep 100 ms.
final class FanOutWorkload {
  private static final int NAP_MS = 100;
  private final Bench bench;
  private final LocalService service;

  FanOutWorkload(Bench bench, LocalService service) {
    this.bench = bench;
    this.service = service;
  }

  void widths() throws Exception {
    service.post(WorkloadGraphs.fanOut("w2", "benchWork", Purity.PURE));
    service.post(WorkloadGraphs.fanOut("w2-effects", "benchWork", Purity.EFFECTFUL));
    for (int i = 0; i < 20; i++) {
      run("w2", 1000);
      run("w2-effects", 1000);
    }
    bench.repeat(
        "W2",
        () -> {
          run("w2", 1000);
          for (int width : List.of(10, 100, 1_000, 10_000)) {
            perItem("w2", width, "W2 durable " + width, "W2 durable, %,d items".formatted(width));
          }
          perItem(
              "w2-effects", 10_000, "W2 effects", "W2 durable, 10,000 items, effectful workers");
        });
  }

  /// The mean of as many runs as it takes to have 10,000 items.
  private void perItem(String graph, int width, String key, String label) throws Exception {
    int runs = Math.clamp(10_000 / width, 1, 100);
    long wal = bench.sql().walBytes();
    double seconds = 0;
    for (int i = 0; i < runs; i++) {
      seconds += run(graph, width);
    }
    double items = (double) runs * width;
    var figures = bench.figures();
    figures.add(Figure.of(key, label, "µs/item"), 1e6 * seconds / items);
    figures.add(
        Figure.of(key + " wal", label + ", WAL", "bytes/item"),
        (bench.sql().walBytes() - wal) / items);
  }

  void naps() throws Exception {
    service.post(WorkloadGraphs.fanOut("w5", "benchNapWork", Purity.EFFECTFUL));
    run("w5", 100);
    bench.repeat(
        "W5 fan-out",
        () -> {
          for (int width : List.of(100, 1_000)) {
            long pid = ProcessHandle.current().pid();
            Processes.resetPeak(pid);
            double seconds = run("w5", width);
            var key = "W5 fan-out " + width;
            var label = "W5 fan-out of %,d that sleep 100 ms".formatted(width);
            bench.figures().add(Figure.of(key, label, "× ideal"), 1000 * seconds / NAP_MS);
            bench
                .figures()
                .add(
                    Figure.of(key + " rss", label + ", peak RSS", "MiB"),
                    Processes.peakBytes(pid) / (double) (1 << 20));
          }
        });
  }

  /// @return wall seconds
  private double run(String graph, int width) throws InterruptedException {
    long begun = System.nanoTime();
    var id = service.run(graph, ObjectValue.of("width", Value.of((long) width)));
    double seconds = (System.nanoTime() - begun) / 1e9;
    service.check(id, "total", width);
    return seconds;
  }
}
