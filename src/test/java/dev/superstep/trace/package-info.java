@NullMarked
package dev.superstep.trace;

import org.jspecify.annotations.NullMarked;
