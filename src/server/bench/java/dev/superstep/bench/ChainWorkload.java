package dev.superstep.bench;

import dev.superstep.state.value.ObjectValue;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentLinkedQueue;

/// W1: ten nodes in a row, in memory and durable.
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
    service.post(WorkloadGraphs.chain("w1", KernelRuns.CHAIN, "benchStep"));
    loop(service, 64, WARM_UP_SECONDS);
    loop(service, 1, WARM_UP_SECONDS);
    bench.repeat(
        "W1 durable",
        () -> {
          for (int callers : CALLERS) {
            durable(service, callers);
          }
        });
  }

  private void durable(LocalService service, int callers) throws Exception {
    double seconds = bench.options().pace().seconds();
    double limit = bench.commits().perSecond(callers, Math.min(2, seconds));
    loop(service, callers, seconds / 4);
    long pid = ProcessHandle.current().pid();
    var before = Cost.now(pid, bench.sql());
    var calls = loop(service, callers, seconds);
    var cost = Cost.now(pid, bench.sql()).since(before);
    var key = "W1 durable " + callers;
    var label = "W1 durable, %d at a time".formatted(callers);
    var figures = bench.figures();
    figures.add(Figure.of(key, label, "supersteps/s"), KernelRuns.CHAIN * calls.perSecond(), limit);
    figures.add(Figure.of(key + " p50", label + ", a run, p50", "ms"), calls.millis(0.5));
    figures.add(Figure.of(key + " p99", label + ", a run, p99", "ms"), calls.millis(0.99));
    cost.report(figures, key, label, KernelRuns.CHAIN * (double) calls.count());
  }

  private ClosedLoop.Calls loop(LocalService service, int callers, double seconds)
      throws Exception {
    var ended = new ConcurrentLinkedQueue<String>();
    Callable<?> caller = () -> ended.add(service.run("w1", ObjectValue.empty()));
    var calls = ClosedLoop.run(seconds, Collections.nCopies(callers, caller));
    check(service, List.copyOf(ended));
    return calls;
  }

  /// Every run has succeeded; the counter of some of them says 10.
  private void check(LocalService service, List<String> runs) throws Exception {
    long unfinished =
        bench.sql().number("select count(*) from run where graph = 'w1' and status <> 'succeeded'");
    if (unfinished > 0) {
      throw new IllegalStateException(unfinished + " runs of W1 have not succeeded");
    }
    int every = Math.max(1, runs.size() / CHECKED);
    for (int i = 0; i < runs.size(); i += every) {
      service.check(runs.get(i), "counter", KernelRuns.CHAIN);
    }
  }
}
