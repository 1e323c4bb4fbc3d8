/// Which part of the prompt context reaches which task, and what the task adds to it. Uses
/// checkpoints. Begin with [dev.superstep.engine.context.ContextViews].
@NullMarked
package dev.superstep.engine.context;

import org.jspecify.annotations.NullMarked;
