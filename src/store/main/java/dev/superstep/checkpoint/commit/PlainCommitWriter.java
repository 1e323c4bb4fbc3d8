package dev.superstep.checkpoint.commit;

import java.time.Instant;
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
  Optional<Instant> write(PlainCommit plainCommit) {
    return group.write(plainCommit).or(() -> writeAlone(plainCommit));
  }

  /// Writes the commit in a statement of its own.
  Optional<Instant> writeAlone(PlainCommit plainCommit) {
    batches.executeWaiting(plainCommit);
    return plainCommit.writtenAt();
  }
}
