package dev.superstep.run;

import dev.superstep.run.HistoryCheck.HistoryHead;
import dev.superstep.run.HistoryCheck.HistoryPosition;
import java.util.Optional;

/// Verifies that what is stored of a run is what was written.
public interface RunHistory {
  /// Verifies a part, whose size is bounded. The database computes the hashes.
  ///
  /// @param from empty: from the first row on
  /// @param known a head that an earlier answer had: the checkpoint must still have it
  HistoryCheck verify(String run, Optional<HistoryPosition> from, Optional<HistoryHead> known);
}
