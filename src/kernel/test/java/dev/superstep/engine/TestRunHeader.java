package dev.superstep.engine;

import dev.superstep.engine.run.BirthId;
import dev.superstep.engine.run.RunHeader;
import dev.superstep.state.value.ObjectValue;
import java.util.Optional;

/// Headers of runs that are part of no trace.
public final class TestRunHeader {
  private TestRunHeader() {}

  public static RunHeader of(
      String id, String graph, int version, long ordinal, ObjectValue metadata) {
    return new RunHeader(
        id,
        BirthId.ofRun(id),
        graph,
        version,
        ordinal,
        metadata,
        ObjectValue.empty(),
        Optional.empty());
  }
}
