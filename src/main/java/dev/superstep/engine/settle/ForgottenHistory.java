package dev.superstep.engine.settle;

import dev.superstep.context.PromptContext;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.state.value.Value;
import java.util.HashSet;
import java.util.Set;

/// The history entries that a run does not keep any longer after a superstep. What tasks have
/// passed on (P12) loses them as well: else a checkpoint would keep them as differences, and its
/// size would grow as the history did.
record ForgottenHistory(Set<Value> ids, Value count) {
  private static final ForgottenHistory NOTHING = new ForgottenHistory(Set.of(), Value.NULL);

  /// @param folded with all that the superstep has added
  /// @param kept what the run keeps of it
  static ForgottenHistory between(PromptContext folded, PromptContext kept) {
    int dropped = folded.history().size() - kept.history().size();
    if (dropped == 0) {
      return NOTHING;
    }
    var ids = new HashSet<Value>();
    for (int i = 0; i < dropped; i++) {
      ids.add(id(folded.history().get(i)));
    }
    return new ForgottenHistory(
        ids, kept.metadata().getOr(PromptContext.HISTORY_DROPPED, Value.NULL));
  }

  /// What is left of a context that was passed on.
  PromptContext in(PromptContext passed) {
    if (ids.isEmpty()) {
      return passed;
    }
    return passed
        .keepingEntries(it -> !ids.contains(id(it)))
        .plusMetadata(ObjectValue.of(PromptContext.HISTORY_DROPPED, count));
  }

  private static Value id(Value entry) {
    return entry instanceof ObjectValue object ? object.getOr("id", Value.NULL) : Value.NULL;
  }
}
