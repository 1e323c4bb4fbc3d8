package dev.superstep.run;

import java.time.Instant;

/// A conversation in a list.
public record ThreadSummary(String id, Instant createdAt, RunSummary lastRun) {}
