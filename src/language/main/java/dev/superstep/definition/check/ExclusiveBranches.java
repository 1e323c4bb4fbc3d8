package dev.superstep.definition.check;

import dev.superstep.definition.Codes;
import dev.superstep.definition.check.Ways.Hidden;
import dev.superstep.definition.check.Ways.Way;
import dev.superstep.definition.check.Ways.WayKind;
import dev.superstep.definition.form.Item;
import dev.superstep.graph.NodeId;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;

/// Warns of joins that wait for branches of which only one is taken, or that nothing leads on from
/// once a node has failed. Only what is decided once in a run counts: in a loop, the branches may
/// follow each other.
final class ExclusiveBranches {
  /// Ways that are followed at most, for all decisions together.
  private static final int WORK_MAX = 1_000_000;

  private static final String ON_ERROR = "on_error";
  private static final String OPTIONAL = "optional";

  private final Ways ways;
  private final Map<String, List<Way>> outgoing = new HashMap<>();

  private ExclusiveBranches(Ways ways) {
    this.ways = ways;
    ways.all()
        .forEach(way ->
            way.from()
                .forEach(id -> outgoing.computeIfAbsent(id, _ -> new ArrayList<>()).add(way)));
  }

  static void check(Ways ways) {
    var joins = ways.all().stream().filter(ExclusiveBranches::isAllJoin).toList();
    if (joins.isEmpty()) {
      return;
    }
    var exclusive = new ExclusiveBranches(ways);
    var going = ways.nodes().stream().filter(exclusive::goesOnWithoutAWord).toList();
    going.forEach(it -> warnOfSource(it, joins));
    if (ways.hidden() == Hidden.NOTHING) {
      exclusive.check(joins);
      exclusive.checkBehind(going, joins);
    }
  }

  /// Whether a failure is handled, and leads nowhere. `optional: false` says that this is meant.
  private boolean goesOnWithoutAWord(Item node) {
    boolean goesOn =
        node.isTrue(OPTIONAL) || (!node.has(OPTIONAL) && node.isText(ON_ERROR, "continue"));
    return goesOn
        && outgoing.getOrDefault(id(node), List.of()).stream()
            .noneMatch(it ->
                it.kind() == WayKind.FAILURE
                    && !it.item().has("error_codes")
                    && !it.item().has("condition"));
  }

  private static void warnOfSource(Item node, List<Way> joins) {
    if (!node.isTrue(OPTIONAL)) {
      joins.stream()
          .filter(it -> it.from().contains(id(node)))
          .findFirst()
          .ifPresent(join ->
              node.at()
                  .key(ON_ERROR)
                  .warn(
                      Codes.STALLING_JOIN,
                      "a failure of '%s' is no arrival at the join of '%s', which then waits until the run fails with stalled_join: 'optional: true' in place of on_error lets joins count it, 'optional: false' says that this is meant"
                          .formatted(id(node), String.join("', '", join.from()))));
    }
  }

  /// Joins of which a source runs only behind the node, and another one whatever becomes of it.
  private void checkBehind(List<Item> going, List<Way> joins) {
    var reached = reach(Set.of());
    var once = runningOnce();
    int work = 0;
    for (var node : going) {
      work += ways.all().size();
      if (work > WORK_MAX) {
        return;
      }
      var own = outgoing.getOrDefault(id(node), List.of());
      var behind = new HashSet<>(reached);
      behind.removeAll(
          reach(numbers(own.stream().filter(it -> it.kind() != WayKind.FAILURE).toList())));
      behind.remove(id(node));
      if (once.contains(id(node))) {
        joins.forEach(it -> warnOfBehind(node, it, behind));
      }
    }
  }

  private static void warnOfBehind(Item node, Way join, Set<String> behind) {
    var never = join.from().stream().filter(behind::contains).findFirst();
    boolean waits = join.from().stream().anyMatch(it -> !behind.contains(it) && !isLost(node, it));
    if (never.isPresent() && waits) {
      node.at()
          .key(node.has(ON_ERROR) ? ON_ERROR : OPTIONAL)
          .warn(
              Codes.STALLING_JOIN,
              "if '%s' fails, '%s' does not run, and the join of '%s' waits for it until the run fails with stalled_join: write 'join: activated' or 'join: any', or an on_failure that leads on"
                  .formatted(id(node), never.get(), String.join("', '", join.from())));
    }
  }

  /// Whether the node itself, as a source, does not arrive.
  private static boolean isLost(Item node, String source) {
    return source.equals(id(node)) && !node.isTrue(OPTIONAL);
  }

  private static String id(Item node) {
    return node.textOrEmpty("id");
  }

  private static boolean isAllJoin(Way way) {
    return way.kind() == WayKind.JOIN
        && way.item().findText("join").filter(it -> !it.equals("all")).isEmpty();
  }

  private void check(List<Way> joins) {
    var reached = reach(Set.of());
    int work = 0;
    for (var decision : decisions()) {
      work += (decision.branches().size() + 1) * ways.all().size();
      if (work > WORK_MAX) {
        return;
      }
      var behind = new HashMap<String, Integer>();
      for (int i = 0; i < decision.branches().size(); i++) {
        var without = reach(decision.branches().get(i));
        for (var node : reached) {
          if (!without.contains(node)) {
            behind.put(node, i);
          }
        }
      }
      joins.forEach(it -> warn(it, decision.node(), behind));
    }
  }

  private static void warn(Way join, String node, Map<String, Integer> behind) {
    var decided = join.from().stream().filter(behind::containsKey).toList();
    if (decided.isEmpty()) {
      return;
    }
    var first = decided.getFirst();
    decided.stream()
        .filter(it -> !Objects.equals(behind.get(it), behind.get(first)))
        .findFirst()
        .ifPresent(other ->
            join.item()
                .at()
                .warn(
                    Codes.EXCLUSIVE_BRANCHES,
                    "waits for '%s' and for '%s', but node '%s' leads to one of them only: write 'join: activated' or 'join: any'"
                        .formatted(first, other, node)));
  }

  /// A node and the numbers of its ways, grouped by what it takes together.
  private record BranchDecision(String node, List<Set<Integer>> branches) {}

  private List<BranchDecision> decisions() {
    var once = runningOnce();
    var decisions = new ArrayList<BranchDecision>();
    for (var node : ways.nodes()) {
      var id = node.textOrEmpty("id");
      var own = outgoing.getOrDefault(id, List.of());
      var flows = own.stream().filter(it -> it.kind().isFlow()).toList();
      var branches = new ArrayList<Set<Integer>>();
      if (node.isText("edge_mode", "first")) {
        flows.forEach(it -> branches.add(numbers(List.of(it))));
      } else if (!flows.isEmpty()) {
        branches.add(numbers(flows));
      }
      var failures = own.stream().filter(it -> it.kind() == WayKind.FAILURE).toList();
      if (node.isText("error_mode", "first")) {
        failures.forEach(it -> branches.add(numbers(List.of(it))));
      } else if (!failures.isEmpty()) {
        branches.add(numbers(failures));
      }
      if (once.contains(id) && branches.size() > 1) {
        decisions.add(new BranchDecision(id, branches));
      }
    }
    return decisions;
  }

  private static Set<Integer> numbers(List<Way> ways) {
    return ways.stream().map(Way::number).collect(Collectors.toSet());
  }

  /// Nodes to which one edge leads, from nodes that run once themselves.
  private Set<String> runningOnce() {
    var incoming = new HashMap<String, List<Way>>();
    ways.all()
        .forEach(way ->
            way.to().forEach(id -> incoming.computeIfAbsent(id, _ -> new ArrayList<>()).add(way)));
    var once = new HashSet<String>();
    var open = new ArrayDeque<>(List.of(NodeId.START.value()));
    while (!open.isEmpty()) {
      var id = open.pop();
      if (once.add(id)) {
        for (var way : outgoing.getOrDefault(id, List.of())) {
          if (way.kind() != WayKind.COMPUTED && once.containsAll(way.from())) {
            way.to().stream()
                .filter(it -> incoming.getOrDefault(it, List.of()).size() == 1)
                .forEach(open::push);
          }
        }
      }
    }
    return once;
  }

  /// What can be reached without these ways.
  private Set<String> reach(Set<Integer> without) {
    var reached = new HashSet<String>();
    var open = new ArrayDeque<>(List.of(NodeId.START.value()));
    while (!open.isEmpty()) {
      for (var way : outgoing.getOrDefault(open.pop(), List.of())) {
        if (!without.contains(way.number())) {
          way.to().stream().filter(reached::add).forEach(open::push);
        }
      }
    }
    return reached;
  }
}
