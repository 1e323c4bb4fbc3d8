/// What is printed when the service is ready, by [StartMessage].
@NullMarked
package dev.superstep.start;

import org.jspecify.annotations.NullMarked;
