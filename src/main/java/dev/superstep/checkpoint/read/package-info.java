/// Loads runs and checkpoints: the newest snapshot, the deltas since, recorded outcomes, signals.
/// Begin with [dev.superstep.checkpoint.read.CheckpointLoader].
@NullMarked
package dev.superstep.checkpoint.read;

import org.jspecify.annotations.NullMarked;
