package dev.superstep.run.queue;

import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;

/// Counts the places of this replica that each of several competitors holds.
final class FairShares {
  private final ConcurrentHashMap<String, Integer> driven = new ConcurrentHashMap<>();

  /// The counts as columns of a statement.
  record Columns(String[] names, Integer[] driven) {}

  void begun(String name) {
    driven.merge(name, 1, Integer::sum);
  }

  void ended(String name) {
    driven.computeIfPresent(name, (_, runs) -> runs == 1 ? null : runs - 1);
  }

  int of(String name) {
    return driven.getOrDefault(name, 0);
  }

  Columns columns() {
    var now = new TreeMap<>(driven);
    return new Columns(now.keySet().toArray(String[]::new), now.values().toArray(Integer[]::new));
  }
}
