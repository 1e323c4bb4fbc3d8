package dev.superstep.bench;

import dev.superstep.bench.WorkloadGraphs.Purity;
import dev.superstep.state.value.ObjectValue;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentLinkedQueue;

/// W1: ten nodes in a row, in memory and durable; W1e: ten that may call out.
final class ChainWorkload {
  private static final List<Integer> CALLERS = List.of(1, 8, 64);
  private static final int CHECKED = 100;
  private static final int WARM_UP_SECONDS = 30;
  private final Bench bench;

  ChainWorkload(Bench bench) {
    this.bench = bench;
  }

  /// The kernel alone; with hash and events to say what those cost.
  void inMemory() throws Exception {
    var none = EnumSet.noneOf(KernelStore.Duty.class);
    // Beside two cores, compiling it all takes its time.
    kernel(1, none, WARM_UP_SECONDS);
    bench.repeat(
        "W1 in memory",
        () -> {
          for (int callers : List.of(1, 8)) {
            memory("W1 memory " + callers, callers, "no hash, no events written", none);
          }
          memory("W1 memory hash", 1, "hash", EnumSet.of(KernelStore.Duty.HASH));
          memory("W1 memory events", 1, "events written", EnumSet.of(KernelStore.Duty.EVENTS));
        });
  }

  private void memory(String key, int callers, String what, Set<KernelStore.Duty> duties)
      throws Exception {
    kernel(callers, duties, bench.options().pace().seconds() / 4);
    var calls = kernel(callers, duties, bench.options().pace().seconds());
    bench
        .figures()
        .add(
            Figure.of(
                key, "W1 in memory, %d at a time, %s".formatted(callers, what), "supersteps/s"),
            KernelRuns.CHAIN * calls.perSecond());
  }

  private static ClosedLoop.Calls kernel(int callers, Set<KernelStore.Duty> duties, double seconds)
      throws Exception {
    var all = new ArrayList<Callable<?>>();
    for (int i = 0; i < callers; i++) {
      all.add(new KernelRuns(new KernelStore(duties))::run);
    }
    return ClosedLoop.run(seconds, all);
  }

  /// Through the service's own start, drive and commit, in this JVM.
  void durable(LocalService service) throws Exception {
    for (var row : Row.values()) {
      service.post(WorkloadGraphs.chain(row.graph, KernelRuns.CHAIN, "benchStep", row.pure));
      loop(service, row, 64, WARM_UP_SECONDS / 2.0);
      loop(service, row, 1, WARM_UP_SECONDS / 2.0);
    }
    bench.repeat(
        "W1 durable",
        () -> {
          for (int callers : CALLERS) {
            for (var row : Row.values()) {
              durable(service, row, callers);
            }
          }
        });
  }

  private enum Row {
    W1("w1", Purity.PURE, "W1 durable, pure nodes, %d at a time"),
    W1E("w1e", Purity.EFFECTFUL, "W1e durable, nodes that may call out, %d at a time");

    private final String graph;
    private final Purity pure;
    private final String label;

    Row(String graph, Purity pure, String label) {
      this.graph = graph;
      this.pure = pure;
      this.label = label;
    }
  }

  private void durable(LocalService service, Row row, int callers) throws Exception {
    double seconds = bench.options().pace().seconds();
    double limit = bench.commits().perSecond(callers, Math.min(2, seconds));
    loop(service, row, callers, seconds / 4);
    long pid = ProcessHandle.current().pid();
    var before = Cost.now(pid, bench.sql());
    var calls = loop(service, row, callers, seconds);
    var cost = Cost.now(pid, bench.sql()).since(before);
    var key = "%s durable %d".formatted(row == Row.W1 ? "W1" : "W1e", callers);
    var label = row.label.formatted(callers);
    var figures = bench.figures();
    figures.add(Figure.of(key, label, "supersteps/s"), KernelRuns.CHAIN * calls.perSecond(), limit);
    figures.add(Figure.of(key + " p50", label + ", a run, p50", "ms"), calls.millis(0.5));
    figures.add(Figure.of(key + " p99", label + ", a run, p99", "ms"), calls.millis(0.99));
    cost.report(figures, key, label, KernelRuns.CHAIN * (double) calls.count());
  }

  private ClosedLoop.Calls loop(LocalService service, Row row, int callers, double seconds)
      throws Exception {
    var ended = new ConcurrentLinkedQueue<String>();
    Callable<?> caller = () -> ended.add(service.run(row.graph, ObjectValue.empty()));
    var calls = ClosedLoop.run(seconds, Collections.nCopies(callers, caller));
    check(service, List.copyOf(ended));
    return calls;
  }

  /// Every run has succeeded; the counter of some of them says 10.
  private void check(LocalService service, List<String> runs) throws Exception {
    long unfinished =
        bench
            .sql()
            .number("select count(*) from run where graph like 'w1%' and status <> 'succeeded'");
    if (unfinished > 0) {
      throw new IllegalStateException(unfinished + " runs of W1 have not succeeded");
    }
    int every = Math.max(1, runs.size() / CHECKED);
    for (int i = 0; i < runs.size(); i += every) {
      service.check(runs.get(i), "counter", KernelRuns.CHAIN);
    }
  }
}
