package dev.superstep.checkpoint.row;

import dev.superstep.engine.run.Event;
import java.time.Instant;

/// An event as it is stored.
///
/// @param seq from 1, gap-free per run
/// @param at database time of the commit it is part of
public record StoredEvent(long seq, Instant at, Event event) {}
