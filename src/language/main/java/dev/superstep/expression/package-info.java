/// Expressions as their callers see them: limits, problems with their positions. CEL is known to
/// its packages only. Begin with [dev.superstep.expression.Expression]; expressions are made by
/// [dev.superstep.expression.compile.Expressions].
@NullMarked
package dev.superstep.expression;

import org.jspecify.annotations.NullMarked;
