package dev.superstep.run.queue;

import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;

/// What each of several competitors has of this replica's slots.
final class FairShares {
  private final ConcurrentHashMap<String, Integer> driven = new ConcurrentHashMap<>();

  /// As columns of a statement.
  record Columns(String[] names, Integer[] driven) {}

  void begun(String name) {
    driven.merge(name, 1, Integer::sum);
  }

  void ended(String name) {
    driven.computeIfPresent(name, (_, runs) -> runs == 1 ? null : runs - 1);
  }

  Columns columns() {
    var now = new TreeMap<>(driven);
    return new Columns(now.keySet().toArray(String[]::new), now.values().toArray(Integer[]::new));
  }
}
