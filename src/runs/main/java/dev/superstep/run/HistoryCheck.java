package dev.superstep.run;

import java.util.List;
import java.util.Optional;

/// What came of verifying a part of what is stored of a run.
///
/// @param checkpoints that are as they were written
/// @param notChained rows without a hash: written by an earlier release
/// @param erased checkpoints before the first one that is kept
/// @param broken at most [#BROKEN_MAX]
/// @param head of the last checkpoint, if this is the last part and that one is chained
/// @param next where the next part begins
public record HistoryCheck(
    int checkpoints,
    int notChained,
    int erased,
    List<BrokenRow> broken,
    Optional<HistoryHead> head,
    Optional<HistoryPosition> next) {
  /// Named in one part.
  public static final int BROKEN_MAX = 100;

  public HistoryCheck {
    broken = List.copyOf(broken);
  }

  /// @param table that has the row, or should have it
  /// @param row its key within the run, or keys: `3`, `3–5`
  public record BrokenRow(Damage damage, String table, String row) {}

  /// What is wrong with a row.
  public enum Damage {
    CHANGED,
    MISSING,
    ADDED
  }

  /// Where a part begins: behind these.
  ///
  /// @param checkpoint the last one that is verified
  /// @param eventsOf the last one whose events are
  /// @param seq of the last event that is
  public record HistoryPosition(int checkpoint, int eventsOf, long seq) {}

  /// The hash to which a checkpoint and all before it are linked.
  ///
  /// @param link lower-case hexadecimal
  public record HistoryHead(int checkpoint, String link) {}
}
