@NullMarked
package dev.superstep.expression;

import org.jspecify.annotations.NullMarked;
