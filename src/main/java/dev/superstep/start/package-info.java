/// Prints a message when the service is ready.
@NullMarked
package dev.superstep.start;

import org.jspecify.annotations.NullMarked;
