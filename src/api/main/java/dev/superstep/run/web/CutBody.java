package dev.superstep.run.web;

import dev.superstep.state.Change;
import dev.superstep.state.ListCompaction;
import dev.superstep.state.value.ObjectValue;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// A part of a checkpoint: what a compaction has replaced.
record CutBody(String channel, int from, int count, @Nullable ObjectValue summary) {

  /// Null if nothing was compacted.
  static @Nullable List<CutBody> list(Change change) {
    return change.cuts().isEmpty() ? null : change.cuts().stream().map(CutBody::of).toList();
  }

  private static CutBody of(ListCompaction listCompaction) {
    return new CutBody(
        listCompaction.channel(),
        listCompaction.from(),
        listCompaction.count(),
        listCompaction.summary().orElse(null));
  }
}
