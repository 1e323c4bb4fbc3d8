package dev.superstep.run.web;

import dev.superstep.state.Change;
import dev.superstep.state.ListCompaction;
import dev.superstep.state.value.ObjectValue;
import io.swagger.v3.oas.annotations.media.Schema;
import io.swagger.v3.oas.annotations.media.Schema.RequiredMode;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// A part of a checkpoint: what a compaction has replaced.
@Schema(name = "Cut", description = "Items of a channel that a compaction replaced")
record CutBody(
    @Schema(requiredMode = RequiredMode.REQUIRED, example = "messages") String channel,
    @Schema(requiredMode = RequiredMode.REQUIRED, description = "Position of the first one")
        int from,
    @Schema(requiredMode = RequiredMode.REQUIRED, description = "How many") int count,
    @Schema(description = "The message in their place; absent: there is none")
        @Nullable ObjectValue summary) {

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
