package dev.superstep.engine.node;

import dev.superstep.state.value.ObjectValue;

/// Those who watch a run while it runs, wherever they are. What they are told is stored nowhere and
/// may be lost: it must say nothing that stored events or the state do not say in the end.
///
/// Free to be used by several threads of one attempt.
public interface LiveEventSink {
  LiveEventSink NONE =
      new LiveEventSink() {
        @Override
        public boolean hasSubscribers() {
          return false;
        }

        @Override
        public void publish(String type, ObjectValue data) {
          // nobody listens
        }
      };

  /// Whether there are any now: to be asked before going to any expense for them.
  boolean hasSubscribers();

  /// Tells them, as a live event of the task. Does not block. An attempt that nobody waits for any
  /// more tells nothing.
  void publish(String type, ObjectValue data);
}
