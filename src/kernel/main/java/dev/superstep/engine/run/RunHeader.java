package dev.superstep.engine.run;

import dev.superstep.state.value.ObjectValue;
import java.util.Optional;

/// The constant properties of a run.
///
/// @param birthId what only this run may derive
/// @param ordinal the run's place in its thread, from 0; 0 without a thread. Generated ids derive
///   from it, never from the run id (E5)
/// @param params values of the graph's params, as pinned at the start
/// @param traceparent the trace of the request that started the run (W3C trace context)
public record RunHeader(
    String id,
    BirthId birthId,
    String graph,
    int version,
    long ordinal,
    ObjectValue metadata,
    ObjectValue params,
    Optional<String> traceparent) {

  public RunHeader with(BirthId changed) {
    return new RunHeader(id, changed, graph, version, ordinal, metadata, params, traceparent);
  }
}
