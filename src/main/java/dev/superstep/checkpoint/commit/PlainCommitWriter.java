package dev.superstep.checkpoint.commit;

import dev.superstep.engine.run.Lease;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.springframework.stereotype.Component;

/// Writes plain commits: first in a batch with other runs, then alone if the batch skipped them.
@Component
public class PlainCommitWriter {
  private final GroupCommit group;
  private final BatchStatement batches;

  public PlainCommitWriter(GroupCommit group, BatchStatement batches) {
    this.group = group;
    this.batches = batches;
  }

  /// @return database time of the commit; empty if the fence refused it
  Optional<Instant> write(Lease lease, PlainCommit plainCommit) {
    return group
        .write(new RunBatch(lease, List.of(plainCommit)))
        .or(() -> writeAlone(lease, plainCommit));
  }

  /// Writes the commit in a statement of its own.
  Optional<Instant> writeAlone(Lease lease, PlainCommit plainCommit) {
    var runBatch = new RunBatch(lease, List.of(plainCommit));
    batches.executeWaiting(runBatch);
    return runBatch.writtenAt();
  }
}
