package dev.superstep.checkpoint;

import dev.superstep.engine.checkpoint.Checkpoint;
import dev.superstep.engine.checkpoint.Commit;
import dev.superstep.engine.checkpoint.Pending;
import java.util.Optional;

/// A checkpoint as it is stored: what it changed, not what the state was.
///
/// @param stateHash lower-case hexadecimal
/// @param delta committed tasks come without the dispatches they asked for, which are among
///   `pending`
/// @param pending empty for kind `held`, which leaves it as it was
public record StoredCheckpoint(
    Checkpoint.Stamp stamp, String stateHash, Commit.Delta delta, Optional<Pending> pending) {}
