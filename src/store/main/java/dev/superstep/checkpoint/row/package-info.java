/// A checkpoint as the bytes to insert, and when it gets a snapshot besides its delta; the entities
/// that list the columns of checkpoints, events and heads for all packages. Begin with
/// [dev.superstep.checkpoint.row.EncodedCheckpoint];
/// [dev.superstep.checkpoint.row.CheckpointWriter] writes the checkpoints that API calls make.
@NullMarked
package dev.superstep.checkpoint.row;

import org.jspecify.annotations.NullMarked;
