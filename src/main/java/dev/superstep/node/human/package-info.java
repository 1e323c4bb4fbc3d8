@NullMarked
package dev.superstep.node.human;

import org.jspecify.annotations.NullMarked;
