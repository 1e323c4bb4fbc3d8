package dev.superstep.engine;

import dev.superstep.state.ObjectValue;

/// What never changes about a run.
///
/// @param ordinal the run's place in its thread, from 0; 0 without a thread. Generated ids derive
///   from it, never from the run id (E5)
public record RunHeader(
    String id,
    String graph,
    int version,
    long ordinal,
    ObjectValue metadata,
    Durability durability) {

  /// A run whose supersteps are on disk before the next one starts.
  public RunHeader(String id, String graph, int version, long ordinal, ObjectValue metadata) {
    this(id, graph, version, ordinal, metadata, Durability.SYNC);
  }
}
