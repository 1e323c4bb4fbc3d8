package dev.superstep.checkpoint.commit;

import dev.superstep.checkpoint.StoreSettings;
import dev.superstep.checkpoint.WriteBatcher;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.dao.DataAccessException;
import org.springframework.stereotype.Component;

/// Lets the plain commits of all runs of this replica share statements, and so their disk writes.
/// Nothing here waits for the lock of one run: other commits would wait with it.
@Component
public final class GroupCommit {
  private static final Logger log = LoggerFactory.getLogger(GroupCommit.class);

  private final BatchStatement batches;
  private final WriteBatcher<RunBatch> writeBatcher;

  public GroupCommit(BatchStatement batches, StoreSettings settings) {
    this.batches = batches;
    writeBatcher = new WriteBatcher<>(settings.batch().bounds(), this::write);
  }

  /// @return database time of the commit; empty if the caller must check it in a statement of its
  ///   own: the batch skipped it, or the result of the batch is unknown
  Optional<Instant> write(RunBatch runBatch) {
    writeBatcher.write(runBatch);
    return runBatch.writtenAt();
  }

  void write(List<RunBatch> runBatches) {
    try {
      batches.execute(runBatches);
    } catch (DataAccessException e) {
      log.debug("{} commits are checked and written one by one", runBatches.size(), e);
    }
  }
}
