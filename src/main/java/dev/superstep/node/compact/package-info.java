@NullMarked
package dev.superstep.node.compact;

import org.jspecify.annotations.NullMarked;
