/// Wide supersteps: cutting their tasks into slices and executing slices, whoever cut them. Begin
/// with [ReplicaSlicing], which cuts, and [SliceWorkers], which execute.
@NullMarked
package dev.superstep.wide;

import org.jspecify.annotations.NullMarked;
