package dev.superstep.schedule.hint;

import dev.superstep.schedule.ReplicaNotifications.Kind;
import java.util.EnumMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;

/// Notifications still to be sent, each once. Beyond a limit they are dropped.
final class Outbox {
  private static final int RUNS_MAX = 2_000;

  private Map<Kind, Set<String>> waiting = new EnumMap<>(Kind.class);

  synchronized void add(Kind kind, String run) {
    var runs = waiting.computeIfAbsent(kind, _ -> new LinkedHashSet<>());
    if (runs.size() < RUNS_MAX && runs.add(run)) {
      notifyAll();
    }
  }

  /// Waits for notifications and takes all.
  synchronized Map<Kind, Set<String>> take() throws InterruptedException {
    while (waiting.isEmpty()) {
      wait();
    }
    var taken = waiting;
    waiting = new EnumMap<>(Kind.class);
    return taken;
  }
}
