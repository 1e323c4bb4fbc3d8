/// The recorded steps of tasks (E53).
@NullMarked
package dev.superstep.checkpoint.step;

import org.jspecify.annotations.NullMarked;
