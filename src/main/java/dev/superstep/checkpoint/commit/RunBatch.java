package dev.superstep.checkpoint.commit;

import dev.superstep.checkpoint.WriteBatcher;
import dev.superstep.engine.run.Lease;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Consecutive commits of one run in a batch, and their result. They are written together or not at
/// all.
public final class RunBatch implements WriteBatcher.Member {
  private final Lease lease;
  private final List<PlainCommit> plainCommits;
  private final long bytes;
  private volatile @Nullable Instant writtenAt;
  private volatile boolean cancelRequested;

  /// @param plainCommits at least one, each behind the one before
  public RunBatch(Lease lease, List<PlainCommit> plainCommits) {
    this.lease = lease;
    this.plainCommits = List.copyOf(plainCommits);
    this.bytes = plainCommits.stream().mapToLong(PlainCommit::bytes).sum();
  }

  public Lease lease() {
    return lease;
  }

  public List<PlainCommit> plainCommits() {
    return plainCommits;
  }

  PlainCommit first() {
    return plainCommits.getFirst();
  }

  PlainCommit last() {
    return plainCommits.getLast();
  }

  boolean includesOutcomes() {
    return plainCommits.stream().anyMatch(PlainCommit::includesOutcomes);
  }

  int events() {
    return plainCommits.stream().mapToInt(it -> it.commit().events().size()).sum();
  }

  @Override
  public long bytes() {
    return bytes;
  }

  void written(Instant at, boolean cancelled) {
    cancelRequested = cancelled;
    writtenAt = at;
  }

  /// Whether the run is to be cancelled after this write.
  public boolean cancelRequested() {
    return cancelRequested;
  }

  /// Database time of the write; empty if it is not known to have taken place.
  public Optional<Instant> writtenAt() {
    return Optional.ofNullable(writtenAt);
  }
}
