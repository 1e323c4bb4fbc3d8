/// Traces of a filtered context: each item with its outcome and the reason. Begin with
/// [dev.superstep.context.trace.Trace].
@NullMarked
package dev.superstep.context.trace;

import org.jspecify.annotations.NullMarked;
