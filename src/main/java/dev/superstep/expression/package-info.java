/// Expressions and templates: the only package that knows CEL.
@NullMarked
package dev.superstep.expression;

import org.jspecify.annotations.NullMarked;
