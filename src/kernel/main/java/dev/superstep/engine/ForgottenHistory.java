package dev.superstep.engine;

import dev.superstep.context.PromptContext;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.state.value.Value;
import java.util.HashSet;
import java.util.Set;

/// The history entries that a run drops after a superstep. Passed contexts (P12) lose them as well:
/// else a checkpoint would keep them as differences, and would grow with the history.
record ForgottenHistory(Set<Value> ids, Value count) {
  private static final ForgottenHistory NOTHING = new ForgottenHistory(Set.of(), Value.NULL);

  /// @param folded with the entries of the superstep
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

  /// A passed context without these entries.
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
