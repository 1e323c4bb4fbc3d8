@NullMarked
package dev.superstep.node.router;

import org.jspecify.annotations.NullMarked;
