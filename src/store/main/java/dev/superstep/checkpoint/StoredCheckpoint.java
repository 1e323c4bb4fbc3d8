package dev.superstep.checkpoint;

import dev.superstep.engine.checkpoint.Checkpoint;
import dev.superstep.engine.checkpoint.Commit;
import dev.superstep.engine.checkpoint.Pending;
import java.util.Optional;

/// A checkpoint as it is stored: what it changed, not the whole state.
///
/// @param delta committed tasks without the dispatches they asked for: those are in `pending`
/// @param pending empty for kind `held`, which leaves it as it was
public record StoredCheckpoint(
    Checkpoint.Stamp stamp, String stateHash, Commit.Delta delta, Optional<Pending> pending) {}
