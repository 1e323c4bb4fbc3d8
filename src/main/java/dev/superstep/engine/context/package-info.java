/// What of the prompt context reaches which task, and what it leaves behind. Uses `checkpoint`.
/// Begin with [dev.superstep.engine.context.ContextViews].
@NullMarked
package dev.superstep.engine.context;

import org.jspecify.annotations.NullMarked;
