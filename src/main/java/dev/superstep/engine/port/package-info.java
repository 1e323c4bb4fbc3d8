/// What the engine asks of the world around it: a store, an inbox, a pool, other replicas.
/// Interfaces and the values in them. Begin with [dev.superstep.engine.port.CheckpointStore].
@NullMarked
package dev.superstep.engine.port;

import org.jspecify.annotations.NullMarked;
