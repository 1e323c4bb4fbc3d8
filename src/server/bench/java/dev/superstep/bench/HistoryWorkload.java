package dev.superstep.bench;

import dev.superstep.state.value.ObjectValue;
import dev.superstep.state.value.Value;
import java.util.List;

/// W3: a list that grows by 1 KiB in every superstep.
final class HistoryWorkload {
  private static final int MESSAGE = 1024;
  private static final List<Integer> LIMITS = List.of(50, 100, 200, 400);
  private final Bench bench;
  private final LocalService service;

  HistoryWorkload(Bench bench, LocalService service) {
    this.bench = bench;
    this.service = service;
  }

  void run() throws Exception {
    service.post(WorkloadGraphs.history("w3"));
    for (int i = 0; i < 5; i++) {
      run(200);
    }
    bench.repeat(
        "W3",
        () -> {
          // Pages that are written for the first time since the checkpoint go into the WAL whole.
          run(50);
          for (int limit : LIMITS) {
            measure(limit);
          }
        });
  }

  private void measure(int limit) throws Exception {
    long wal = bench.sql().walBytes();
    long tables = bench.sql().tableBytes();
    double seconds = run(limit);
    double payload = (double) limit * MESSAGE;
    var key = "W3 " + limit;
    var label = "W3 history of %d × 1 KiB".formatted(limit);
    var figures = bench.figures();
    figures.add(Figure.of(key + " step", label, "ms/step"), 1000 * seconds / limit);
    figures.add(
        Figure.of(key + " wal", label + ", WAL", "× payload"),
        (bench.sql().walBytes() - wal) / payload);
    figures.add(
        Figure.of(key + " tables", label + ", growth of tables and indexes", "× payload"),
        (bench.sql().tableBytes() - tables) / payload);
  }

  /// @return wall seconds
  private double run(int limit) throws InterruptedException {
    long begun = System.nanoTime();
    var id = service.run("w3", ObjectValue.of("limit", Value.of((long) limit)));
    double seconds = (System.nanoTime() - begun) / 1e9;
    service.check(id, "counter", limit);
    return seconds;
  }
}
