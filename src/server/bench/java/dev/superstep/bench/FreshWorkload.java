package dev.superstep.bench;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/// FRESH: the first minutes over a new, empty database. What is planned while tables are empty must
/// not be slow when they have filled.
final class FreshWorkload {
  private static final List<Integer> CALLERS = List.of(64, 8, 1);
  private static final double WINDOW_SECONDS = 5;
  private final Bench bench;

  FreshWorkload(Bench bench) {
    this.bench = bench;
  }

  void run() throws Exception {
    measure(Engine.Kind.OURS);
    for (var peer : bench.options().peers()) {
      if (peer.chains()) {
        measure(peer);
      }
    }
  }

  private void measure(Engine.Kind kind) throws Exception {
    System.out.printf("%nFRESH %s%n", kind.label());
    try (var engine = Engine.start(kind, bench)) {
      engine.postGraphs();
      for (int callers : CALLERS) {
        part(engine, callers);
      }
    }
  }

  private void part(Engine engine, int callers) throws Exception {
    var windows = new ArrayList<Double>();
    double seconds = bench.options().pace().freshSeconds();
    double window = Math.min(WINDOW_SECONDS, seconds / 2);
    var chain = engine.rows().getFirst().chain();
    for (double spent = 0; spent < seconds - window / 2; spent += window) {
      windows.add(HttpWorkload.loop(engine.url(), chain, callers, window).perSecond());
    }
    var label = "FRESH %s, %d at a time".formatted(engine.kind().label(), callers);
    System.out.println(
        label + ", runs/s: " + String.join(", ", windows.stream().map(Numbers::text).toList()));
    bench
        .figures()
        .add(
            Figure.of("FRESH " + callers, label + ", lowest ÷ last window", "×"),
            Collections.min(windows) / windows.getLast());
    bench
        .figures()
        .add(
            Figure.of("FRESH last " + callers, label + ", last window", "runs/s"),
            windows.getLast());
  }
}
