package dev.superstep.checkpoint.row;

import dev.superstep.checkpoint.StoredCheckpoint;
import dev.superstep.engine.run.Event;
import java.util.List;

/// A checkpoint that holds a superstep, with the events that were stored with it.
///
/// @param firstEvent the seq of the first of these
public record HeldCheckpoint(StoredCheckpoint stored, long firstEvent, List<Event> events) {
  public HeldCheckpoint {
    events = List.copyOf(events);
  }
}
