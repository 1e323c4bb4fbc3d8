package dev.superstep.run;

import dev.superstep.engine.run.Event;
import java.time.Instant;
import java.util.Optional;

/// An event of a run as clients see it.
///
/// @param seq from 1, gap-free per run; empty: live only, not stored
public record EventView(Optional<Long> seq, String run, Instant at, Event event) {}
