package dev.superstep.graph;

import java.util.HashSet;
import java.util.Set;

/// Nodes before or after which a run stops with an interrupt (E38). `*` stands for every node.
public record Breakpoints(Set<String> before, Set<String> after) {
  public static final Breakpoints NONE = new Breakpoints(Set.of(), Set.of());

  public Breakpoints {
    before = Set.copyOf(before);
    after = Set.copyOf(after);
  }

  /// The union of both.
  public Breakpoints and(Breakpoints others) {
    return new Breakpoints(union(before, others.before), union(after, others.after));
  }

  private static Set<String> union(Set<String> one, Set<String> other) {
    var all = new HashSet<>(one);
    all.addAll(other);
    return all;
  }

  public boolean isEmpty() {
    return before.isEmpty() && after.isEmpty();
  }

  public static boolean lists(Set<String> nodes, NodeId node) {
    return nodes.contains("*") || nodes.contains(node.value());
  }
}
