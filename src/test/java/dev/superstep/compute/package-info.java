@NullMarked
package dev.superstep.compute;

import org.jspecify.annotations.NullMarked;
