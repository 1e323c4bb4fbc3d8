package dev.superstep.run;

import java.util.LinkedHashMap;
import java.util.SequencedMap;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;

/// What each of several competitors has of this replica's slots, and when it had its last turn.
final class Shares {
  private final ConcurrentHashMap<String, Integer> driven = new ConcurrentHashMap<>();

  /// When each had its last turn since they compete, counted in turns; at most `max` of them.
  private final SequencedMap<String, Long> served = new LinkedHashMap<>();

  private final int max;
  private long turnsGiven;

  Shares(int max) {
    this.max = max;
  }

  /// As columns of a statement.
  record Columns(String[] names, Integer[] driven, Long[] served) {}

  void begun(String name) {
    driven.merge(name, 1, Integer::sum);
  }

  void ended(String name) {
    driven.computeIfPresent(name, (_, runs) -> runs == 1 ? null : runs - 1);
  }

  synchronized void served(String name) {
    served.putLast(name, ++turnsGiven);
    if (served.size() > max) {
      served.pollFirstEntry();
    }
  }

  synchronized void forgetTurns() {
    served.clear();
  }

  synchronized Columns columns() {
    var here = new TreeSet<>(driven.keySet());
    here.addAll(served.keySet());
    return new Columns(
        here.toArray(String[]::new),
        here.stream().map(it -> driven.getOrDefault(it, 0)).toArray(Integer[]::new),
        here.stream().map(it -> served.getOrDefault(it, 0L)).toArray(Long[]::new));
  }
}
