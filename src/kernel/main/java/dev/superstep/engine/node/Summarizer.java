package dev.superstep.engine.node;

import dev.superstep.state.value.ListValue;
import java.util.Optional;

/// Summarizes messages for a compaction. The engine calls it on any thread, many calls at a time.
///
/// It must not change anything else: a call may be repeated after a crash, with the same
/// [NodeCall#idempotencyKey], and its summary is dropped when a task of the same superstep has
/// changed those messages.
@FunctionalInterface
public interface Summarizer {

  /// @param messages what is to be replaced, in order, earlier summaries among them
  /// @param call of the compaction task; its state has the whole channel
  /// @return the text of the summary; empty: the messages go and nothing takes their place
  /// @throws Exception any exception is a failed compaction, which loses nothing
  Optional<String> summarize(ListValue messages, NodeCall call) throws Exception;

  /// Whether it neither blocks nor has effects: see [NodeRunner#pure].
  default boolean pure() {
    return false;
  }

  /// Whether it may call models: see [NodeRunner#spends].
  default boolean spends() {
    return false;
  }
}
