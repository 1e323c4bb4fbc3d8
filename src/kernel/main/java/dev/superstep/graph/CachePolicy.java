package dev.superstep.graph;

import java.time.Duration;

/// Which tasks of a node come to the same result, and for how long.
///
/// @param key as declared: tasks for which it gives the same come to the same
public record CachePolicy(String key, Duration ttl) {}
