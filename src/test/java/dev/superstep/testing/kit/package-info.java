@NullMarked
package dev.superstep.testing.kit;

import org.jspecify.annotations.NullMarked;
