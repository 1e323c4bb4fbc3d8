@NullMarked
package dev.superstep.testing;

import org.jspecify.annotations.NullMarked;
