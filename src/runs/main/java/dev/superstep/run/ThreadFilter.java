package dev.superstep.run;

import dev.superstep.state.value.ObjectValue;
import java.util.Set;

/// Which threads are wanted: those that meet all conditions.
///
/// @param ids empty: any
/// @param metadata contained in that of the thread, at any depth; empty: any
/// @param statuses empty: any
/// @param started only threads that have a run
public record ThreadFilter(
    Set<String> ids, ObjectValue metadata, Set<ThreadStatus> statuses, boolean started) {
  public ThreadFilter {
    ids = Set.copyOf(ids);
    statuses = Set.copyOf(statuses);
  }
}
