@NullMarked
package dev.superstep.state;

import org.jspecify.annotations.NullMarked;
