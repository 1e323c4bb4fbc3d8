/// Functions that CEL gets here, each with its cost. Begin with
/// [dev.superstep.expression.function.CelFunctions].
@NullMarked
package dev.superstep.expression.function;

import org.jspecify.annotations.NullMarked;
