/// Wide supersteps: cutting their tasks into slices, and executing slices cut by any replica.
@NullMarked
package dev.superstep.wide;

import org.jspecify.annotations.NullMarked;
