package dev.superstep.model;

import java.util.Optional;

/// What the provider allows of a model, over all replicas. At least one of them is set.
///
/// @param requestsPerMinute calls that begin in any minute
/// @param tokensPerMinute of their input and output
/// @param concurrency calls at a time
public record ModelLimits(
    Optional<Integer> requestsPerMinute,
    Optional<Long> tokensPerMinute,
    Optional<Integer> concurrency) {}
