/// What runs are kept as: checkpoints in deltas and snapshots, recorded outcomes, interrupts,
/// events.
@NullMarked
package dev.superstep.checkpoint;

import org.jspecify.annotations.NullMarked;
