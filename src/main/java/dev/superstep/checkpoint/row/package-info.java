/// A checkpoint as the bytes to insert, and when it holds a snapshot instead of a delta. Begin with
/// [dev.superstep.checkpoint.row.CheckpointWriter].
@NullMarked
package dev.superstep.checkpoint.row;

import org.jspecify.annotations.NullMarked;
