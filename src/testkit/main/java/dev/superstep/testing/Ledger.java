package dev.superstep.testing;

import dev.superstep.definition.read.PathStep;
import dev.superstep.engine.node.NodeCall;
import dev.superstep.engine.run.TaskKey;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/// Notes which tasks a run has, and how often nodes are called.
public final class Ledger {
  /// Supersteps of a path that reports show.
  private static final int SHOWN_MAX = 1_000;

  private final Map<Integer, Map<String, Integer>> path = new TreeMap<>();
  private final Map<String, Integer> calls = new TreeMap<>();
  private final Set<TaskKey> seen = new HashSet<>();

  public void note(NodeCall call) {
    var key = call.task().key();
    var node = key.node().value();
    if (seen.add(key)) {
      path.computeIfAbsent(key.superstep(), _ -> new TreeMap<>()).merge(node, 1, Integer::sum);
    }
    if (!goesOn(call)) {
      calls.merge(node, 1, Integer::sum);
    }
  }

  /// Whether the call goes on with what was begun before an answer or a wait.
  private static boolean goesOn(NodeCall call) {
    return call.childEnd().isPresent()
        || (call.attempt() == 1 && (call.woken() || call.resume().isPresent()));
  }

  /// Tasks by node, superstep by superstep.
  List<Map<String, Integer>> path() {
    return List.copyOf(path.values());
  }

  List<List<String>> written() {
    var written = new ArrayList<List<String>>();
    path.values().stream().limit(SHOWN_MAX).map(PathStep::written).forEach(written::add);
    return written;
  }

  int supersteps() {
    return path.size();
  }

  public Map<String, Integer> calls() {
    return Map.copyOf(calls);
  }
}
