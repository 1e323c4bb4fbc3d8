package dev.superstep.graph;

/// Names a node within one graph.
public record NodeId(String value) implements Comparable<NodeId> {
  /// Where every run begins; it runs nothing (E8).
  public static final NodeId START = new NodeId("__start__");

  /// Where a branch ends; it runs nothing (E8).
  public static final NodeId END = new NodeId("__end__");

  /// The engine's own part in a superstep that takes messages to the run (E49). It is no node.
  public static final NodeId INBOX = new NodeId("__inbox__");

  private static final String COMPACTION = "__compact__:";

  /// The engine's own task that compacts a channel. It is no node: nothing leads there.
  public static NodeId compacting(String channel) {
    return new NodeId(COMPACTION + channel);
  }

  public NodeId {
    if (!isValid(value) && !isEngines(value)) {
      throw new IllegalArgumentException("not a node id: '%s'".formatted(value));
    }
  }

  public static boolean isValid(String value) {
    return value.equals("__start__") || value.equals("__end__") || Identifiers.isNode(value);
  }

  private static boolean isEngines(String value) {
    return value.startsWith(COMPACTION) || value.equals("__inbox__");
  }

  public boolean isReserved() {
    return value.startsWith("__");
  }

  @Override
  public int compareTo(NodeId other) {
    return value.compareTo(other.value);
  }

  @Override
  public String toString() {
    return value;
  }
}
