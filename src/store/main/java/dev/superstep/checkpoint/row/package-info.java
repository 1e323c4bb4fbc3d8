/// The rows of runs, checkpoints, outcomes, interrupts and events: the entities that list their
/// columns, encoding them, and loading a run from them. Begin with [EncodedCheckpoint] and
/// [RunImages].
@NullMarked
package dev.superstep.checkpoint.row;

import org.jspecify.annotations.NullMarked;
