package dev.superstep.checkpoint.row;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import dev.superstep.database.HistoryChanged;
import dev.superstep.engine.checkpoint.Checkpoint;
import dev.superstep.engine.checkpoint.CheckpointKind;
import dev.superstep.engine.checkpoint.Commit;
import dev.superstep.engine.checkpoint.TaskRecord.TaskStatus;
import dev.superstep.engine.run.Lease;
import dev.superstep.engine.run.RunStatus;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.springframework.context.event.EventListener;
import org.springframework.stereotype.Component;

/// Keeps the checkpoints at which runs have stopped here to ask, for a while: the driver that goes
/// on with an answer, if it is of this process and the next to have the run, need not read them. It
/// is bounded by the size of their states, and holds nothing that the database does not.
@Component
class RestingCheckpoints {
  private static final long BYTES_MAX = 16L << 20;
  private static final long CHECKPOINT_BYTES_MAX = BYTES_MAX / 16;
  private static final int OVERHEAD_BYTES = 2048;
  private static final Duration AGE_MAX = Duration.ofMinutes(10);

  private final Cache<String, Resting> resting =
      Caffeine.newBuilder()
          .maximumWeight(BYTES_MAX)
          .weigher((String _, Resting it) -> it.bytes())
          .expireAfterWrite(AGE_MAX)
          .build();

  /// @param epoch of the driver that has written it
  private record Resting(long epoch, Checkpoint checkpoint, int bytes) {}

  @EventListener
  void forget(HistoryChanged changed) {
    resting.invalidateAll();
  }

  /// Keeps what `commit` has written, if it is a hold that asks.
  void keep(Lease lease, Commit commit, EncodedCheckpoint encodedCheckpoint, Instant at) {
    if (commit.head().status() != RunStatus.INTERRUPTED || commit.checkpoint().isEmpty()) {
      return;
    }
    var after = commit.checkpoint().get().after();
    long bytes = after.sizeBytes() + encodedCheckpoint.content().length + OVERHEAD_BYTES;
    if (isReadBackAsItIs(after) && bytes <= CHECKPOINT_BYTES_MAX) {
      resting.put(lease.run(), new Resting(lease.epoch(), stamped(after, at), (int) bytes));
    }
  }

  /// A task that waits for a child or a worker knows how to begin it until it is stored.
  private static boolean isReadBackAsItIs(Checkpoint after) {
    return after.stamp().kind() == CheckpointKind.HELD
        && after.held().values().stream()
            .noneMatch(it ->
                it.status() instanceof TaskStatus.Child
                    || it.status() instanceof TaskStatus.AtWorker);
  }

  private static Checkpoint stamped(Checkpoint held, Instant at) {
    var stamp = held.stamp();
    return new Checkpoint(
        new Checkpoint.Stamp(stamp.number(), stamp.kind(), stamp.superstep(), at, stamp.era()),
        held.state(),
        held.context(),
        held.pending(),
        held.held(),
        held.edits());
  }

  /// The checkpoint with this number and time that the run's last lease has written, if it was
  /// written here. It is not kept any longer.
  Optional<Checkpoint> take(Lease lease, int number, Instant at) {
    return Optional.ofNullable(resting.asMap().remove(lease.run()))
        .filter(it -> it.epoch() + 1 == lease.epoch())
        .map(Resting::checkpoint)
        .filter(it -> it.number() == number && it.stamp().at().equals(at));
  }
}
