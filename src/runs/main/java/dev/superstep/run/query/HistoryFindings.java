package dev.superstep.run.query;

import dev.superstep.run.HistoryCheck;
import dev.superstep.run.HistoryCheck.BrokenRow;
import dev.superstep.run.HistoryCheck.Damage;
import java.util.ArrayList;
import java.util.List;

/// Collects what a part of a history has come to.
final class HistoryFindings {
  private final List<BrokenRow> broken = new ArrayList<>();
  private int checkpoints;
  private int notChained;

  void intact() {
    checkpoints++;
  }

  void notChained(int rows) {
    notChained += rows;
  }

  void broken(Damage damage, String table, Object row) {
    if (broken.size() < HistoryCheck.BROKEN_MAX) {
      broken.add(new BrokenRow(damage, table, String.valueOf(row)));
    }
  }

  /// @param last above `first`, or equal
  void missing(String table, long first, long last) {
    broken(Damage.MISSING, table, first == last ? first : first + "–" + last);
  }

  List<BrokenRow> broken() {
    return broken;
  }

  int checkpoints() {
    return checkpoints;
  }

  int notChained() {
    return notChained;
  }
}
