/// Wide supersteps: cutting their tasks into slices and executing slices, whoever cut them.
@NullMarked
package dev.superstep.wide;

import org.jspecify.annotations.NullMarked;
