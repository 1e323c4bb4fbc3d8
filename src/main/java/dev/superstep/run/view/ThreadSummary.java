package dev.superstep.run.view;

import java.time.Instant;

/// A thread in a list.
public record ThreadSummary(String id, Instant createdAt, RunSummary lastRun) {}
