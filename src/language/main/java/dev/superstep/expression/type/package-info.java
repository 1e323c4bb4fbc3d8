/// What is known of the values of expressions before anything runs: types of variables, and the
/// mistakes that follow from them. A lint: programs are compiled without it. Begin with
/// [dev.superstep.expression.type.TypeCheck].
@NullMarked
package dev.superstep.expression.type;

import org.jspecify.annotations.NullMarked;
