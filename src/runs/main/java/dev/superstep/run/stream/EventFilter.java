package dev.superstep.run.stream;

import dev.superstep.engine.run.Event;
import dev.superstep.graph.NodeId;
import dev.superstep.problem.Query;
import java.util.HashSet;
import java.util.Set;
import java.util.TreeSet;

/// Which events a client wants.
///
/// @param types empty: any
/// @param nodes empty: any; events that belong to no node are wanted whichever are named
public record EventFilter(Set<String> types, Set<String> nodes) {
  private static final Set<String> STORED =
      Set.of(
          "run.created",
          "run.started",
          "run.interrupted",
          "run.resumed",
          "run.waiting",
          "run.succeeded",
          "run.failed",
          "run.cancelled",
          "run.taken_over",
          "superstep.committed",
          "task.cancelled",
          "task.child_started",
          "task.failed",
          "task.handled",
          "task.interrupted",
          "channel.conflict",
          "channel.compacted",
          "channel.compaction_dropped",
          "context.conflict",
          "edge.not_taken",
          "custom");
  private static final Set<String> LIVE =
      Set.of(
          "task.started",
          "task.retrying",
          "task.repeated",
          "task.succeeded",
          "context.filtered",
          "message.delta",
          "custom");

  /// Reads `type` and `node`, which may be repeated.
  public static EventFilter of(Query query) {
    var types = new HashSet<>(query.all("type"));
    for (var type : types) {
      if (!STORED.contains(type) && !LIVE.contains(type)) {
        throw Query.invalid("type", "there are no such events; there are " + known());
      }
    }
    var nodes = new HashSet<>(query.all("node"));
    if (!nodes.stream().allMatch(NodeId::isValid)) {
      throw Query.invalid("node", "must be the id of a node");
    }
    return new EventFilter(types, nodes);
  }

  private static String known() {
    var all = new TreeSet<>(STORED);
    all.addAll(LIVE);
    return String.join(", ", all);
  }

  public boolean accepts(Event event) {
    return (types.isEmpty() || types.contains(event.type()))
        && (nodes.isEmpty() || event.node().map(it -> nodes.contains(it.value())).orElse(true));
  }

  /// Whether any event that is not stored is wanted.
  boolean wantsLive() {
    return types.isEmpty() || types.stream().anyMatch(LIVE::contains);
  }
}
