@NullMarked
package dev.superstep.node.function;

import org.jspecify.annotations.NullMarked;
