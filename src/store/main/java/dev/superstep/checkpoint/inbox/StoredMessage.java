package dev.superstep.checkpoint.inbox;

import dev.superstep.engine.run.InboxMessage.IfUntaken;
import dev.superstep.state.value.Value;
import java.time.Instant;
import java.util.Locale;
import java.util.Optional;

/// A message to a run, as it is stored.
///
/// @param seq from 1, in the order in which the messages of the run were accepted
/// @param ifUntaken what becomes of it if the run ends without it
/// @param sender empty: nobody in particular
/// @param fate what has become of it
public record StoredMessage(
    String run,
    int seq,
    String id,
    String channel,
    Value value,
    IfUntaken ifUntaken,
    Optional<String> sender,
    Instant sentAt,
    MessageFate fate) {

  public enum MessageStatus {
    WAITING,
    TAKEN,
    /// A superstep has taken it, and its channel could not.
    REJECTED,
    /// It begins the next run of the thread.
    MOVED,
    /// The run has ended without it.
    LEFT;

    public String apiName() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /// @param superstep that has taken it
  /// @param nextRun that begins with it
  public record MessageFate(
      MessageStatus status, Optional<Integer> superstep, Optional<String> nextRun) {}
}
