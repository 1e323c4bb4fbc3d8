package dev.superstep.engine.node;

import dev.superstep.state.value.ObjectValue;
import java.util.Optional;

/// Publishes live events of a running task to its subscribers, on any replica. They are stored
/// nowhere and may be lost: they must carry nothing that stored events or the state do not have in
/// the end. Safe for use by several threads of one attempt.
public interface LiveEventSink {
  /// The member of the data that says which attempt has published the event: another one for each
  /// attempt, also where a takeover or another replica has begun to count them anew.
  String ATTEMPT_ID = "attempt_id";

  LiveEventSink NONE =
      new LiveEventSink() {
        @Override
        public boolean hasSubscribers() {
          return false;
        }

        @Override
        public void publish(String type, ObjectValue data) {
          // no subscribers
        }
      };

  /// Whether there are subscribers now, or there may be some to a text that begins now: check it
  /// before building an expensive event.
  boolean hasSubscribers();

  /// Publishes a live event of the task, with [#ATTEMPT_ID]. Does not block. An abandoned attempt
  /// publishes nothing.
  void publish(String type, ObjectValue data);

  /// Begins a text of the task, which voids the one before. Its pieces are published as
  /// `message.delta`; who subscribes while the text is being written, or before its superstep is
  /// committed, gets it from its beginning.
  ///
  /// @param messageId of the message that the result stores the text with; empty: of none
  default LiveText begin(Optional<String> messageId) {
    return LiveText.NONE;
  }
}
