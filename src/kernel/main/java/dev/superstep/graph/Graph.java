package dev.superstep.graph;

import dev.superstep.state.Channels;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// One version of a graph, compiled: everything the engine asks while it runs is an index lookup.
public final class Graph {
  private final Channels channels;
  private final Map<NodeId, Node> nodes;
  private final Map<NodeId, Integer> order;
  private final Map<NodeId, List<Edge.Flow>> flows;
  private final Map<NodeId, List<Edge.ErrorRoute>> errorEdges;
  private final List<Edge.Join> joins;
  private final Map<NodeId, List<Edge.Join>> joinsBySource;
  private final GraphSettings settings;

  /// @param keepsContext whether runs keep a prompt context (P2)
  public record GraphSettings(
      Limits limits, Breakpoints breakpoints, boolean keepsContext, InboxPolicy inbox) {
    public static final GraphSettings DEFAULT =
        new GraphSettings(Limits.NONE, Breakpoints.NONE, false);

    public GraphSettings(Limits limits, Breakpoints breakpoints, boolean keepsContext) {
      this(limits, breakpoints, keepsContext, InboxPolicy.DEFAULT);
    }
  }

  /// @param nodes in declaration order, which is the order of tasks (E11); reserved ids excluded
  public Graph(Channels channels, List<Node> nodes, List<Edge> edges, GraphSettings settings) {
    this.channels = channels;
    this.settings = settings;
    this.nodes = new LinkedHashMap<>();
    this.order = new HashMap<>();
    for (var node : nodes) {
      order.put(node.id(), this.nodes.size());
      this.nodes.put(node.id(), node);
    }
    flows = new HashMap<>();
    errorEdges = new HashMap<>();
    joins = new ArrayList<>();
    joinsBySource = new HashMap<>();
    edges.forEach(this::index);
  }

  private void index(Edge edge) {
    switch (edge) {
      case Edge.Flow flow -> flows.computeIfAbsent(flow.from(), _ -> new ArrayList<>()).add(flow);
      case Edge.ErrorRoute onError ->
          errorEdges.computeIfAbsent(onError.from(), _ -> new ArrayList<>()).add(onError);
      case Edge.Join join -> {
        joins.add(join);
        join.from()
            .forEach(it -> joinsBySource.computeIfAbsent(it, _ -> new ArrayList<>()).add(join));
      }
    }
  }

  /// The limits of a run, with those of this graph where it sets none.
  public Limits limits(Limits ofRun) {
    return ofRun.or(settings.limits());
  }

  public Channels channels() {
    return channels;
  }

  public GraphSettings settings() {
    return settings;
  }

  /// The nodes in declaration order.
  public List<Node> nodes() {
    return List.copyOf(nodes.values());
  }

  /// The number of nodes without the reserved ones.
  public int size() {
    return nodes.size();
  }

  public Optional<Node> find(NodeId id) {
    return Optional.ofNullable(nodes.get(id));
  }

  /// A node that must exist.
  public Node node(NodeId id) {
    @Nullable Node node = nodes.get(id);
    if (node == null) {
      throw new IllegalArgumentException("no node '%s' in this graph".formatted(id));
    }
    return node;
  }

  public boolean has(NodeId id) {
    return nodes.containsKey(id);
  }

  /// The position of a node in the declaration, from 0.
  public int order(NodeId id) {
    var position = order.get(id);
    return position == null ? Integer.MAX_VALUE : position;
  }

  public List<Edge.Flow> flowsFrom(NodeId id) {
    return flows.getOrDefault(id, List.of());
  }

  public List<Edge.ErrorRoute> errorEdgesFrom(NodeId id) {
    return errorEdges.getOrDefault(id, List.of());
  }

  public List<Edge.Join> joins() {
    return joins;
  }

  public List<Edge.Join> joinsFrom(NodeId id) {
    return joinsBySource.getOrDefault(id, List.of());
  }
}
