package dev.superstep.engine;

import dev.superstep.context.PromptContext;
import dev.superstep.engine.checkpoint.ActivationOrigin;
import dev.superstep.engine.checkpoint.ActivationOrigins;
import dev.superstep.engine.checkpoint.Checkpoint;
import dev.superstep.engine.checkpoint.Pending;
import dev.superstep.graph.Graph;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Adapts the prompt context of a run that is forked into another version of its graph (E48). The
/// new version alone decides whether there is one (P2).
public final class ForkedContext {
  private ForkedContext() {}

  /// The checkpoint as runs of `graph` have it. A version without a prompt context drops that of
  /// the source: it has no filters either. One with a prompt context begins with its own where the
  /// source has none; pending activations then have unknown edges, and get the template only.
  ///
  /// @param initial what runs of the graph begin with
  public static Checkpoint fit(Checkpoint source, Graph graph, PromptContext initial) {
    if (graph.settings().keepsContext() == source.context().isPresent()) {
      return source;
    }
    return source.context().isPresent()
        ? with(source, Optional.empty(), ActivationOrigins.NONE)
        : with(source, Optional.of(initial), unknown(source.pending()));
  }

  private static ActivationOrigins unknown(Pending pending) {
    var to = new HashMap<ActivationOrigins.To, List<ActivationOrigin>>();
    for (var activation : pending.activations()) {
      if (!activation.node().isReserved()) {
        to.put(
            ActivationOrigins.To.of(activation),
            List.of(new ActivationOrigin(ActivationOrigin.UNKNOWN_EDGE, null)));
      }
    }
    return new ActivationOrigins(to, Map.of(), Map.of());
  }

  private static Checkpoint with(
      Checkpoint source, Optional<PromptContext> context, ActivationOrigins activationOrigins) {
    return new Checkpoint(
        source.stamp(),
        source.state(),
        context,
        source.pending().with(activationOrigins),
        source.held(),
        source.edits());
  }
}
