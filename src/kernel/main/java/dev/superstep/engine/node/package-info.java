/// What the engine is given, and what nodes implement and are given: a call, side effects, child
/// runs, live events; the store, inbox and pool that a driver needs. Begin with [NodeRunner],
/// [NodeCall] and [Ports].
@NullMarked
package dev.superstep.engine.node;

import org.jspecify.annotations.NullMarked;
