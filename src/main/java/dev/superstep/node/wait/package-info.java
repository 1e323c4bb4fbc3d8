@NullMarked
package dev.superstep.node.wait;

import org.jspecify.annotations.NullMarked;
