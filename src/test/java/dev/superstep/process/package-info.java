/// The packaged service as a process of its own.
@NullMarked
package dev.superstep.process;

import org.jspecify.annotations.NullMarked;
