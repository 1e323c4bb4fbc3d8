/// Slices of wide supersteps, which other replicas take. Begin with
/// [dev.superstep.checkpoint.slice.WideSupersteps].
@NullMarked
package dev.superstep.checkpoint.slice;

import org.jspecify.annotations.NullMarked;
