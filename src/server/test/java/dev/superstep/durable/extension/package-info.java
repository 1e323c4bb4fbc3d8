/// Functions with durable steps, for a jar beside the packaged service.
@NullMarked
package dev.superstep.durable.extension;

import org.jspecify.annotations.NullMarked;
