/// From text to program: expressions, templates, messages about mistakes. Begin with
/// [dev.superstep.expression.compile.Expressions].
@NullMarked
package dev.superstep.expression.compile;

import org.jspecify.annotations.NullMarked;
