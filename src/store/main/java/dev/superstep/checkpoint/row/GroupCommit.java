package dev.superstep.checkpoint.row;

import dev.superstep.checkpoint.StoreSettings;
import dev.superstep.checkpoint.WriteBatcher;
import io.micrometer.core.instrument.DistributionSummary;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.dao.DataAccessException;
import org.springframework.stereotype.Component;

/// Lets the plain commits of all runs of this replica share statements, and so their disk writes. A
/// shared statement never waits for the lock of one run: other commits would wait with it.
@Component
final class GroupCommit {
  private static final Logger log = LoggerFactory.getLogger(GroupCommit.class);

  private static final Duration[] BUCKETS = {
    Duration.ofMillis(1),
    Duration.ofMillis(2),
    Duration.ofMillis(5),
    Duration.ofMillis(10),
    Duration.ofMillis(25),
    Duration.ofMillis(50),
    Duration.ofMillis(100),
    Duration.ofMillis(500),
    Duration.ofSeconds(2),
    Duration.ofSeconds(10)
  };

  /// A fifth more commits a second with eight drivers, a seventh with 64, as measured: a statement
  /// costs as much as five commits in it.
  private static final int YIELDS = 2;

  private final BatchStatement batches;
  private final WriteBatcher<PlainCommit> writeBatcher;
  private final Timer commits;
  private final DistributionSummary sizes;

  public GroupCommit(BatchStatement batches, StoreSettings settings, MeterRegistry meters) {
    this.batches = batches;
    commits =
        Timer.builder("superstep.commits")
            .description("Time of a commit, until a batch takes it included")
            .serviceLevelObjectives(BUCKETS)
            .register(meters);
    sizes =
        DistributionSummary.builder("superstep.commits.batch")
            .description("Runs whose commits share a statement")
            .register(meters);
    writeBatcher = new WriteBatcher<>(settings.batch().bounds().withYields(YIELDS), this::write);
  }

  /// Writes the commit in a batch with other runs, then in a statement of its own if the batch
  /// skipped it or the result of the batch is unknown.
  ///
  /// @return database time of the commit; empty if the fence refused it
  Optional<Instant> write(PlainCommit plainCommit) {
    commits.record(() -> writeBatcher.write(plainCommit));
    return plainCommit.writtenAt().or(() -> writeAlone(plainCommit));
  }

  Optional<Instant> writeAlone(PlainCommit plainCommit) {
    batches.executeWaiting(plainCommit);
    return plainCommit.writtenAt();
  }

  void write(List<PlainCommit> plainCommits) {
    sizes.record(plainCommits.size());
    try {
      batches.execute(plainCommits);
    } catch (DataAccessException e) {
      log.debug("{} commits are checked and written one by one", plainCommits.size(), e);
    }
  }
}
