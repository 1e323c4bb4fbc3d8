package dev.superstep.run;

import dev.superstep.state.value.ObjectValue;
import java.time.Instant;
import java.util.Optional;

/// A thread in a list.
///
/// @param updatedAt when it was last described, or a run of it began or ended
/// @param lastRun empty: it has none
public record ThreadSummary(
    String id,
    Instant createdAt,
    Instant updatedAt,
    ThreadStatus status,
    ObjectValue metadata,
    Optional<RunSummary> lastRun) {}
