package dev.superstep.engine.run;

import dev.superstep.graph.DispatchPolicy;
import dev.superstep.graph.NodeId;
import dev.superstep.state.value.ObjectValue;
import org.jspecify.annotations.Nullable;

/// "Run `node` once, next superstep, with this input" (E5).
///
/// @param by the task whose dispatch policy holds for it and its siblings (E54); null: none does
/// @param policy that came with it; null: that of the node of `by`
public record Dispatch(
    String id,
    NodeId node,
    ObjectValue input,
    ObjectValue metadata,
    @Nullable TaskKey by,
    @Nullable DispatchPolicy policy) {

  /// One without a policy.
  public Dispatch(String id, NodeId node, ObjectValue input, ObjectValue metadata) {
    this(id, node, input, metadata, null, null);
  }
}
