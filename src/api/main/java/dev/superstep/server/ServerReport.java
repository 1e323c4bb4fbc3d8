package dev.superstep.server;

import java.time.Instant;
import java.util.Optional;

/// What this server is and how it fares.
///
/// @param version empty unless the service was packaged
/// @param cell the number that the ids of its runs carry
/// @param ready whether this replica takes on runs; the readiness probe says the same
/// @param databaseReachable whether the database answered the last attempts
/// @param replicas those that are alive or not known to be dead yet; empty while the database does
///   not answer
public record ServerReport(
    Optional<String> version,
    int cell,
    Instant time,
    boolean ready,
    boolean databaseReachable,
    Optional<Integer> replicas) {}
