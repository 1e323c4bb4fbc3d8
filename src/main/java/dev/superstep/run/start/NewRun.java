package dev.superstep.run.start;

import dev.superstep.engine.checkpoint.Commit;
import dev.superstep.engine.run.RunHeader;
import dev.superstep.run.store.RunInputEntity.Asked;
import dev.superstep.run.store.RunOrigin;
import dev.superstep.state.value.ObjectValue;

/// A run to be inserted.
///
/// @param first its first checkpoint
public record NewRun(
    RunHeader header, RunOrigin origin, ObjectValue input, Asked asked, Commit.Write first) {
  public String id() {
    return header.id();
  }
}
