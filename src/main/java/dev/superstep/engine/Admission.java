package dev.superstep.engine;

import dev.superstep.graph.NodeId;
import java.util.ArrayDeque;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/// Which ready task may start: bounded by its node's `max_concurrency` and the run's (E12). A bound
/// delays tasks, in task order; it never drops one.
final class Admission {
  private final int runMax;
  private final Map<NodeId, Line> lines = new LinkedHashMap<>();
  private int running;
  private int ready;

  Admission(int runMax) {
    this.runMax = runMax;
  }

  void ready(Slot slot) {
    line(slot).waiting.add(slot);
    ready++;
  }

  /// The next slot that may start now; it counts as running from here on.
  Optional<Slot> admit() {
    if (ready == 0 || running >= runMax) {
      return Optional.empty();
    }
    for (var line : lines.values()) {
      if (line.open()) {
        ready--;
        running++;
        line.running++;
        return Optional.of(line.waiting.remove());
      }
    }
    return Optional.empty();
  }

  void ended(Slot slot) {
    running--;
    line(slot).running--;
  }

  /// Whether nothing runs and nothing is ready to.
  boolean idle() {
    return running == 0 && ready == 0;
  }

  private Line line(Slot slot) {
    return lines.computeIfAbsent(
        slot.task.key().node(), _ -> new Line(slot.task.node().policy().maxConcurrency()));
  }

  private static final class Line {
    private final ArrayDeque<Slot> waiting = new ArrayDeque<>(1);
    private final int max;
    private int running;

    Line(int max) {
      this.max = max;
    }

    boolean open() {
      return !waiting.isEmpty() && (max == 0 || running < max);
    }
  }
}
