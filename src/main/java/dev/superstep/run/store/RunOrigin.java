package dev.superstep.run.store;

import jakarta.persistence.Column;
import jakarta.persistence.Embeddable;
import org.jspecify.annotations.Nullable;

/// The immutable columns of a run.
@Embeddable
public record RunOrigin(
    @Column(updatable = false) String graph,
    @Column(updatable = false) int version,
    @Column(updatable = false) short priority,
    @Column(updatable = false) String durability,
    @Column(updatable = false) @Nullable String threadId,
    @Column(updatable = false) long ordinal,
    @Column(updatable = false) @Nullable String parentRun,
    @Column(updatable = false) @Nullable Integer parentCheckpoint,
    @Column(updatable = false) String caller) {}
