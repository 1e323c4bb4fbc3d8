package dev.superstep.run;

import dev.superstep.engine.run.InboxMessage.IfUntaken;
import dev.superstep.state.value.Value;
import java.util.Optional;

/// A message to a run, or to the run that a thread has (E49).
///
/// @param to a run or a thread
/// @param channel empty: the one that the graph names for messages
/// @param id chosen by the client; empty: one is generated
/// @param ifEnded what happens if the run has ended, or ends without the message
public record SendMessage(
    Addressee to,
    Optional<String> channel,
    MessageContent said,
    Optional<String> id,
    IfUntaken ifEnded) {

  public sealed interface Addressee {
    record ToRun(String run) implements Addressee {}

    record ToThread(String thread) implements Addressee {}
  }

  /// What is said.
  ///
  /// @param isMessage it becomes an item of a channel of messages, a text one of the role `user`;
  ///   else it is what the reducer is given
  public record MessageContent(Value value, boolean isMessage) {}
}
