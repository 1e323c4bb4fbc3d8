/// The interfaces that the engine needs from its environment: a store, an inbox, a pool, other
/// replicas; and the values in them. Begin with [dev.superstep.engine.port.CheckpointStore].
@NullMarked
package dev.superstep.engine.port;

import org.jspecify.annotations.NullMarked;
