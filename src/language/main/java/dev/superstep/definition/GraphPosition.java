package dev.superstep.definition;

import java.time.Instant;

/// A position in the list of graphs: behind the graph of this name, whose newest version was
/// created then.
public record GraphPosition(Instant createdAt, String name) {}
