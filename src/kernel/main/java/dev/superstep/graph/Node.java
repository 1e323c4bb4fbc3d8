package dev.superstep.graph;

import dev.superstep.state.value.ObjectValue;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/// A node as declared.
///
/// @param type `expression`, `http`, … ; decides which runner executes it
/// @param config as declared, in long form, templates unevaluated
/// @param contextType how it takes prompt contexts, as declared; empty: as its type does (P9)
/// @param cache empty: each task calls the node
public record Node(
    NodeId id,
    String type,
    ObjectValue config,
    Policy policy,
    Routing routing,
    Optional<String> contextType,
    Optional<CachePolicy> cache) {

  /// A node that takes prompt contexts as its type does.
  public Node(NodeId id, String type, ObjectValue config, Policy policy, Routing routing) {
    this(id, type, config, policy, routing, Optional.empty(), Optional.empty());
  }

  /// @param retries of these the first that repeats an error counts, each on its own (E31)
  /// @param timeout per attempt; empty: none
  /// @param totalTimeout of all attempts and the pauses between them; empty: none
  /// @param maxConcurrency tasks of this node at a time; 0: as many as the run may
  /// @param deferred runs only when no ordinary activation is pending (E28)
  public record Policy(
      List<RetryPolicy> retries,
      Optional<Duration> timeout,
      Optional<Duration> totalTimeout,
      OnError onError,
      int maxConcurrency,
      boolean deferred) {
    public static final Policy DEFAULT =
        new Policy(RetryPolicy.NEVER, Optional.empty(), OnError.FAIL, 0, false);

    /// A node with one retry policy.
    public Policy(
        RetryPolicy retry,
        Optional<Duration> timeout,
        OnError onError,
        int maxConcurrency,
        boolean deferred) {
      this(List.of(retry), timeout, Optional.empty(), onError, maxConcurrency, deferred);
    }

    public Policy {
      retries = List.copyOf(retries);
    }

    /// The position of the first policy that repeats such an error; -1 if none does.
    public int repeating(String code, RetryPolicy.Retryable retryable) {
      for (int i = 0; i < retries.size(); i++) {
        if (retries.get(i).repeats(code, retryable)) {
          return i;
        }
      }
      return -1;
    }
  }

  /// @param onNoMatch what it means that the node has edges and the conditions of none hold (E24)
  /// @param allowed what a computed `goto` or `dispatch` may reach; empty: any node
  /// @param ifEmpty where an empty `dispatch` of the node's configuration leads
  /// @param dispatches what holds for the dispatches of each of its tasks
  /// @param errorMode whether a failure takes all error edges that fit, or the first of them (E32)
  public record Routing(
      EdgeMode edgeMode,
      Set<NodeId> allowed,
      Optional<NodeId> ifEmpty,
      OnNoMatch onNoMatch,
      Optional<DispatchPolicy> dispatches,
      EdgeMode errorMode) {
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

    /// A node whose failures take all error edges that fit.
    public Routing(
        EdgeMode edgeMode,
        Set<NodeId> allowed,
        Optional<NodeId> ifEmpty,
        OnNoMatch onNoMatch,
        Optional<DispatchPolicy> dispatches) {
      this(edgeMode, allowed, ifEmpty, onNoMatch, dispatches, EdgeMode.ALL);
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
