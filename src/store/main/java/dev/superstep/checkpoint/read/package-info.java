/// Loads runs and checkpoints: the newest snapshot, the deltas since, recorded outcomes, signals.
/// Begin with [dev.superstep.checkpoint.read.RunImages];
/// [dev.superstep.checkpoint.read.CheckpointReplay] folds the deltas.
@NullMarked
package dev.superstep.checkpoint.read;

import org.jspecify.annotations.NullMarked;
