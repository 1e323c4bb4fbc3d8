/// What nodes implement and what they are given: a call, side effects, child runs, live events.
/// Uses `checkpoint` and what is below it. Begin with [dev.superstep.engine.node.NodeRunner] and
/// [dev.superstep.engine.node.NodeCall].
@NullMarked
package dev.superstep.engine.node;

import org.jspecify.annotations.NullMarked;
