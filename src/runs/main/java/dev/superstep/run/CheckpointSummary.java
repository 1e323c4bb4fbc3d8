package dev.superstep.run;

import dev.superstep.engine.checkpoint.CheckpointKind;
import java.time.Instant;
import java.util.Optional;

/// A checkpoint as lists show it.
///
/// @param parent empty for the first
public record CheckpointSummary(
    int number,
    CheckpointKind kind,
    int superstep,
    Optional<Integer> parent,
    String stateHash,
    Instant createdAt) {}
