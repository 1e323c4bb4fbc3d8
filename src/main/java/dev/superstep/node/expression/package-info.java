@NullMarked
package dev.superstep.node.expression;

import org.jspecify.annotations.NullMarked;
