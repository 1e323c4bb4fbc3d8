/// Keeps a run between supersteps: the checkpoint with its pending activations and dispatches, the
/// records of tasks, and the commit that adds the next one. Begin with [Checkpoint] and [Commit].
@NullMarked
package dev.superstep.engine.checkpoint;

import org.jspecify.annotations.NullMarked;
