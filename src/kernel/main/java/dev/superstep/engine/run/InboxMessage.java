package dev.superstep.engine.run;

import dev.superstep.state.value.Value;
import java.time.Instant;

/// A message to a run that no superstep has taken yet (E49).
///
/// @param seq its place among the messages of its run
/// @param id unique in its run
/// @param value folded through the reducer of the channel
/// @param ifUntaken what becomes of it if the run ends and none of its nodes could see it
/// @param sentAt when it was stored
public record InboxMessage(
    int seq, String id, String channel, Value value, IfUntaken ifUntaken, Instant sentAt) {

  public enum IfUntaken {
    /// It is part of the run's last state.
    FOLD,
    /// It begins the next run of the thread.
    START
  }
}
