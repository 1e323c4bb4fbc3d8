package dev.superstep.engine.run;

import dev.superstep.graph.NodeId;
import dev.superstep.state.value.ObjectValue;

/// "Run `node` once, next superstep, with this input" (E5).
public record Dispatch(String id, NodeId node, ObjectValue input, ObjectValue metadata) {}
