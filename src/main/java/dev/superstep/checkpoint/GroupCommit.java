package dev.superstep.checkpoint;

import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.dao.DataAccessException;
import org.springframework.stereotype.Component;

/// Lets the plain commits of all runs of this replica share statements, and so their writes to
/// disk. One that has nobody to share with goes through alone. Nothing here waits for a lock on one
/// run: commits of others would wait with it.
@Component
class GroupCommit {
  private static final Logger log = LoggerFactory.getLogger(GroupCommit.class);

  private final StepStatement alone;
  private final BatchStatement batches;
  private final Lane<Strand> lane;

  GroupCommit(StepStatement alone, BatchStatement batches, StoreSettings settings) {
    this.alone = alone;
    this.batches = batches;
    lane = new Lane<>(settings.batch().bounds(), this::write);
  }

  /// @return database time of the commit; empty if it must find out by itself how it stands: the
  ///   batch passed over it, or nobody knows what became of the batch
  Optional<Instant> write(Strand strand) {
    lane.write(strand);
    return strand.writtenAt();
  }

  void write(List<Strand> strands) {
    try {
      if (strands.size() == 1) {
        var strand = strands.getFirst();
        alone.executeUnlessLocked(strand.lease(), strand.last()).ifPresent(strand::written);
      } else {
        batches.execute(strands);
      }
    } catch (DataAccessException e) {
      log.debug("{} commits find out by themselves how they stand", strands.size(), e);
    }
  }
}
