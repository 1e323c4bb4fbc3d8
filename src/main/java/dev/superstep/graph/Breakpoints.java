package dev.superstep.graph;

import java.util.Set;

/// Nodes before or after which a run stops and asks (E38). `*` stands for every node.
public record Breakpoints(Set<String> before, Set<String> after) {
  public static final Breakpoints NONE = new Breakpoints(Set.of(), Set.of());

  public Breakpoints {
    before = Set.copyOf(before);
    after = Set.copyOf(after);
  }

  public boolean isEmpty() {
    return before.isEmpty() && after.isEmpty();
  }

  public static boolean lists(Set<String> nodes, NodeId node) {
    return nodes.contains("*") || nodes.contains(node.value());
  }
}
