package dev.superstep.run.start;

import dev.superstep.engine.checkpoint.Commit;
import dev.superstep.engine.run.RunHeader;
import dev.superstep.run.store.RunInputEntity.Asked;
import dev.superstep.run.store.RunOrigin;
import dev.superstep.run.view.CheckpointRef;
import dev.superstep.state.value.ObjectValue;
import java.util.Optional;

/// A run to be inserted.
///
/// @param first its first checkpoint
/// @param from the checkpoint of its thread from whose state that was made; empty: none
public record NewRun(
    RunHeader header,
    RunOrigin origin,
    ObjectValue input,
    Asked asked,
    Commit.Write first,
    Optional<CheckpointRef> from) {
  public String id() {
    return header.id();
  }
}
