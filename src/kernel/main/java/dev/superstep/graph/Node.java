package dev.superstep.graph;

import dev.superstep.state.value.ObjectValue;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;

/// A node as declared.
///
/// @param type `expression`, `http`, … ; decides which runner executes it
/// @param config as declared, in long form, templates unevaluated
/// @param contextType how it takes prompt contexts, as declared; empty: as its type does (P9)
public record Node(
    NodeId id,
    String type,
    ObjectValue config,
    Policy policy,
    Routing routing,
    Optional<String> contextType) {

  /// A node that takes prompt contexts as its type does.
  public Node(NodeId id, String type, ObjectValue config, Policy policy, Routing routing) {
    this(id, type, config, policy, routing, Optional.empty());
  }

  /// @param timeout per attempt; empty: none
  /// @param maxConcurrency tasks of this node at a time; 0: as many as the run may
  /// @param deferred runs only when no ordinary activation is pending (E28)
  public record Policy(
      RetryPolicy retry,
      Optional<Duration> timeout,
      OnError onError,
      int maxConcurrency,
      boolean deferred) {
    public static final Policy DEFAULT =
        new Policy(RetryPolicy.NEVER, Optional.empty(), OnError.FAIL, 0, false);
  }

  /// @param onNoMatch what it means that the node has edges and the conditions of none hold (E24)
  /// @param allowed what a computed `goto` or `dispatch` may reach; empty: any node
  /// @param ifEmpty where an empty `dispatch` of the node's configuration leads
  /// @param dispatches what holds for the dispatches of each of its tasks
  public record Routing(
      EdgeMode edgeMode,
      Set<NodeId> allowed,
      Optional<NodeId> ifEmpty,
      OnNoMatch onNoMatch,
      Optional<DispatchPolicy> dispatches) {
    public static final Routing DEFAULT = new Routing(EdgeMode.ALL, Set.of(), Optional.empty());

    /// A node whose branch ends where no condition holds.
    public Routing(EdgeMode edgeMode, Set<NodeId> allowed, Optional<NodeId> ifEmpty) {
      this(edgeMode, allowed, ifEmpty, OnNoMatch.END);
    }

    /// A node whose dispatches all have to succeed.
    public Routing(
        EdgeMode edgeMode, Set<NodeId> allowed, Optional<NodeId> ifEmpty, OnNoMatch onNoMatch) {
      this(edgeMode, allowed, ifEmpty, onNoMatch, Optional.empty());
    }

    public Routing {
      allowed = Set.copyOf(allowed);
    }
  }

  public enum OnError {
    FAIL,

    /// Sends nothing; a join does not count the node as arrived.
    CONTINUE,

    /// As `CONTINUE`, but a handled failure is an arrival at joins (E27): of an optional node.
    ARRIVE
  }

  public enum OnNoMatch {
    END,
    FAIL
  }

  public enum EdgeMode {
    ALL,
    FIRST
  }
}
