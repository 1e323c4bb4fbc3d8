package dev.superstep.definition;

import java.time.Duration;

/// The most that this server allows a run, whatever its graph declares (E14, E15).
///
/// @param dispatchesMax of a run
/// @param timeoutMax wall time of a run
public record ServerLimits(
    int superstepsMax, int concurrencyMax, int dispatchesMax, Duration timeoutMax) {}
