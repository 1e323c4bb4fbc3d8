package dev.superstep.checkpoint;

import dev.superstep.engine.Checkpoint;

/// A checkpoint as lists show it.
///
/// @param stateHash lower-case hexadecimal
public record CheckpointInfo(Checkpoint.Stamp stamp, String stateHash) {}
