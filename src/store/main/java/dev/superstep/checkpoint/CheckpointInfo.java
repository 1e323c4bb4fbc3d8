package dev.superstep.checkpoint;

import dev.superstep.engine.checkpoint.Checkpoint;

/// A checkpoint as it appears in lists.
///
/// @param stateHash lower-case hexadecimal
public record CheckpointInfo(Checkpoint.Stamp stamp, String stateHash) {}
