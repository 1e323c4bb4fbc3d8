package dev.superstep.checkpoint.row;

import jakarta.persistence.Column;
import jakarta.persistence.Embeddable;
import org.jspecify.annotations.Nullable;

/// The columns of a run that its start sets.
@Embeddable
public record RunOrigin(
    @Column(updatable = false) String graph,
    @Column(updatable = false) int version,
    @Column(updatable = false) short priority,
    @Column(updatable = false) @Nullable String threadId,
    @Column(updatable = false) long ordinal,
    @Column(updatable = false) @Nullable String parentRun,
    @Column(updatable = false) @Nullable Integer parentCheckpoint,
    @Column(updatable = false) String caller) {}
