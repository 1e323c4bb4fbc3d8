package dev.superstep.engine.run;

import dev.superstep.state.value.ObjectValue;
import java.util.Optional;

/// The constant properties of a run.
///
/// @param ordinal the run's place in its thread, from 0; 0 without a thread. Generated ids derive
///   from it, never from the run id (E5)
/// @param traceparent the trace of the request that started the run (W3C trace context)
public record RunHeader(
    String id,
    String graph,
    int version,
    long ordinal,
    ObjectValue metadata,
    Durability durability,
    Optional<String> traceparent) {

  /// A run whose supersteps are on disk before the next one starts.
  public RunHeader(String id, String graph, int version, long ordinal, ObjectValue metadata) {
    this(id, graph, version, ordinal, metadata, Durability.SYNC);
  }

  /// A run that is part of no trace.
  // All but one of the components.
  @SuppressWarnings("checkstyle:ParameterNumber")
  public RunHeader(
      String id,
      String graph,
      int version,
      long ordinal,
      ObjectValue metadata,
      Durability durability) {
    this(id, graph, version, ordinal, metadata, durability, Optional.empty());
  }
}
