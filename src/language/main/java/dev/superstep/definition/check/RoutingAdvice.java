package dev.superstep.definition.check;

import dev.superstep.definition.Codes;
import dev.superstep.definition.check.Ways.Way;
import dev.superstep.definition.check.Ways.WayKind;
import dev.superstep.definition.form.Item;
import dev.superstep.definition.type.NodeTypes;
import dev.superstep.graph.Location;
import dev.superstep.state.value.ObjectValue;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// Warns of edges that most likely do something else than their author wants. It warns only of what
/// is certain, and each warning says how to write what was meant.
final class RoutingAdvice {
  /// A graph with more endless cycles shows these.
  private static final int CYCLES_MAX = 20;

  /// Where a person or the node itself ends a run.
  private static final Set<String> ENDING = Set.of("human", "fail");

  private static final String ON_NO_MATCH = "on_no_match";

  private final NodeTypes types;

  RoutingAdvice(NodeTypes types) {
    this.types = types;
  }

  void check(ObjectValue graph, Location at) {
    var ways = Ways.of(graph, at, types);
    var flows = flows(ways);
    ways.nodes().forEach(it -> warnOfBothTaken(it, flows));
    warnOfNoMatch(ways);
    warnOfCycles(ways, flows);
    ExclusiveBranches.check(ways);
  }

  private static Map<String, List<Way>> flows(Ways ways) {
    var flows = new HashMap<String, List<Way>>();
    for (var way : ways.all()) {
      if (way.kind().isFlow() && !way.from().isEmpty()) {
        flows.computeIfAbsent(way.from().getFirst(), _ -> new ArrayList<>()).add(way);
      }
    }
    return flows;
  }

  /// A plain edge beside one with a condition looks like an else, and is none.
  private static void warnOfBothTaken(Item node, Map<String, List<Way>> flows) {
    var own = flows.getOrDefault(node.textOrEmpty("id"), List.of());
    var conditional = own.stream().filter(it -> it.item().has("condition")).findFirst();
    var plain = own.stream().filter(it -> it.kind() == WayKind.PLAIN).findFirst();
    if (!node.has("edge_mode") && conditional.isPresent() && plain.isPresent()) {
      plain
          .get()
          .item()
          .at()
          .warn(
              Codes.BOTH_TAKEN,
              "is taken whether or not the condition at %s holds: 'edge_mode: first' on node '%s' makes it the else, 'edge_mode: all' says that both are meant"
                  .formatted(conditional.get().item().at().pointer(), node.textOrEmpty("id")));
    }
  }

  /// Where one edge is chosen and each has a condition, a value that nobody thought of ends the
  /// branch as if all were done.
  private static void warnOfNoMatch(Ways ways) {
    var joined = new HashSet<String>();
    var computing = new HashSet<String>();
    var edges = new HashMap<String, List<Way>>();
    for (var way : ways.all()) {
      if (way.kind() == WayKind.JOIN) {
        joined.addAll(way.from());
      } else if (way.kind() != WayKind.FAILURE && way.item().has("from")) {
        way.from().forEach(it -> edges.computeIfAbsent(it, _ -> new ArrayList<>()).add(way));
      } else if (way.kind() == WayKind.COMPUTED) {
        computing.addAll(way.from());
      }
    }
    for (var node : ways.nodes()) {
      var id = node.textOrEmpty("id");
      var own = edges.getOrDefault(id, List.of());
      if (!mayMiss(own)) {
        warnOfIdleNoMatch(node);
      } else if (!joined.contains(id) && !computing.contains(id)) {
        warnOfMissingElse(node);
      }
    }
  }

  private static boolean mayMiss(List<Way> edges) {
    return !edges.isEmpty() && edges.stream().allMatch(it -> it.item().has("condition"));
  }

  private static void warnOfIdleNoMatch(Item node) {
    if (node.has(ON_NO_MATCH)) {
      node.warn(
          ON_NO_MATCH,
          Codes.NO_EFFECT,
          "has no effect: the node has no edges, or an edge without condition that is always"
              + " taken; remove it");
    }
  }

  private static void warnOfMissingElse(Item node) {
    boolean chooses = node.isText("edge_mode", "first");
    if (chooses && !node.has(ON_NO_MATCH)) {
      node.warn(
          "edge_mode",
          Codes.MISSING_ELSE,
          "if no case is true the branch ends here, and the run may succeed without having done"
              + " anything: add a last case {else: …}, or say 'on_no_match: fail' or"
              + " 'on_no_match: end'");
    }
  }

  /// A cycle of plain edges can only end as a failure, at the limit of supersteps.
  private void warnOfCycles(Ways ways, Map<String, List<Way>> flows) {
    var next = alwaysNext(ways, flows);
    for (int i = 0; i < CYCLES_MAX; i++) {
      endBranches(next);
      if (next.isEmpty()) {
        return;
      }
      var cycle = cycle(next);
      var first = cycle.getFirst();
      ways.nodes().stream()
          .filter(it -> it.isText("id", first))
          .findFirst()
          .ifPresent(it ->
              it.at()
                  .warn(
                      Codes.ENDLESS_CYCLE,
                      "%s → %s repeats until limits.max_supersteps fails the run: give one of the nodes a switch, or one of the edges a condition"
                          .formatted(String.join(" → ", cycle), first)));
      cycle.forEach(next::remove);
    }
  }

  /// Node to those that follow it whatever happens, in the order of the nodes.
  private Map<String, Set<String>> alwaysNext(Ways ways, Map<String, List<Way>> flows) {
    var failing = new LinkedHashSet<String>();
    ways.all().stream()
        .filter(it -> it.kind() == WayKind.FAILURE)
        .forEach(it -> failing.addAll(it.from()));
    var next = new LinkedHashMap<String, Set<String>>();
    for (var node : ways.nodes()) {
      var id = node.textOrEmpty("id");
      var own = flows.getOrDefault(id, List.of());
      boolean chooses = node.has("edge_mode") && own.size() > 1;
      if (!failing.contains(id) && !chooses && !mayEnd(node)) {
        var targets = new LinkedHashSet<String>();
        own.stream()
            .filter(it -> it.kind() == WayKind.PLAIN)
            .forEach(it -> targets.addAll(it.to()));
        next.put(id, targets);
      }
    }
    return next;
  }

  private boolean mayEnd(Item node) {
    return node.findText("type").filter(ENDING::contains).isPresent()
        || node.objectOrEmpty("config").has("interrupt")
        || Ways.mayRoute(node, types);
  }

  /// Leaves the nodes from which the ways never end.
  private static void endBranches(Map<String, Set<String>> next) {
    var before = new HashMap<String, List<String>>();
    next.forEach((id, targets) -> {
      targets.retainAll(next.keySet());
      targets.forEach(it -> before.computeIfAbsent(it, _ -> new ArrayList<>()).add(id));
    });
    var ended = new ArrayDeque<String>();
    next.forEach((id, targets) -> {
      if (targets.isEmpty()) {
        ended.push(id);
      }
    });
    while (!ended.isEmpty()) {
      var id = ended.pop();
      next.remove(id);
      for (var earlier : before.getOrDefault(id, List.of())) {
        var targets = next.get(earlier);
        if (targets != null && targets.remove(id) && targets.isEmpty()) {
          ended.push(earlier);
        }
      }
    }
  }

  /// Every node leads on to another one, so that some node comes twice.
  private static List<String> cycle(Map<String, Set<String>> next) {
    var way = new LinkedHashSet<String>();
    var node = next.keySet().iterator().next();
    while (way.add(node)) {
      node = next.getOrDefault(node, Set.of()).iterator().next();
    }
    var cycle = new ArrayList<>(way);
    return cycle.subList(cycle.indexOf(node), cycle.size());
  }
}
