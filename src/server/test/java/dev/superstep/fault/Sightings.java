package dev.superstep.fault;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;

/// I12: what a client has seen of runs, and which of them went backwards.
final class Sightings {
  private static final Set<String> CANCELLING = Set.of("cancelling", "cancelled", "succeeded");

  private final Map<String, Seen> last = new ConcurrentHashMap<>();
  private final List<String> violations = new CopyOnWriteArrayList<>();

  record Seen(String status, long superstep, long checkpoint) {}

  void see(String run, Seen now) {
    var before = last.put(run, now);
    if (before != null && backwards(before, now)) {
      violations.add("I12 %s: %s is followed by %s".formatted(run, before, now));
    }
  }

  /// A takeover or a drain may queue a running run again (api.md); an ended one stays ended, one
  /// that is being cancelled ends, and nothing that was committed goes away.
  private static boolean backwards(Seen before, Seen now) {
    if (now.superstep() < before.superstep() || now.checkpoint() < before.checkpoint()) {
      return true;
    }
    return switch (before.status()) {
      case "succeeded", "cancelled" -> !now.status().equals(before.status());
      case "cancelling" -> !CANCELLING.contains(now.status());
      default -> false;
    };
  }

  List<String> violations() {
    return List.copyOf(violations);
  }
}
