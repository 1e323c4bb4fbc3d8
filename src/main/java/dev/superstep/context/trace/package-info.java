/// What became of each item of a context, for those who ask why. Begin with
/// [dev.superstep.context.trace.Trace].
@NullMarked
package dev.superstep.context.trace;

import org.jspecify.annotations.NullMarked;
