package dev.superstep.checkpoint.step;

import dev.superstep.checkpoint.StepCodec;
import dev.superstep.checkpoint.WriteBatcher;
import dev.superstep.engine.checkpoint.StepRecord;
import dev.superstep.engine.node.CheckpointStore.StepWrite;
import dev.superstep.engine.run.Lease;
import dev.superstep.tenant.Share;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Steps of one task to be recorded.
final class StepBatch implements WriteBatcher.Member {
  private final Lease lease;
  private final StepWrite write;
  private final byte[] @Nullable [] contents;
  private final Set<Integer> recorded = new HashSet<>();
  private boolean fenced = true;

  StepBatch(Lease lease, StepWrite write) {
    this.lease = lease;
    this.write = write;
    this.contents =
        write.records().stream()
            .map(it -> it.end().map(StepCodec::bytes).orElse(null))
            .toArray(byte[][]::new);
  }

  /// What a statement is to know of the run, once for all steps of the run.
  ///
  /// @param behind the superstep that must be the last committed one
  record StepHead(String run, long epoch, int behind) {}

  StepHead head() {
    return new StepHead(lease.run(), lease.epoch(), write.superstep() - 1);
  }

  Lease lease() {
    return lease;
  }

  StepWrite write() {
    return write;
  }

  List<StepRecord> records() {
    return write.records();
  }

  byte @Nullable [] content(int index) {
    return contents[index];
  }

  @Override
  public Share share() {
    return write.share();
  }

  @Override
  public long bytes() {
    long bytes = 0;
    for (var content : contents) {
      bytes += content == null ? 0 : content.length;
    }
    return bytes;
  }

  /// The statement has found the run as its driver knows it.
  void passed() {
    fenced = false;
  }

  /// A step of the run is on disk; it may be another batch's.
  void recorded(String task, int ordinal) {
    boolean own = records().stream().anyMatch(it -> it.ordinal() == ordinal);
    if (own && task.equals(write.task())) {
      recorded.add(ordinal);
    }
  }

  /// Whether the run was locked, or is another driver's.
  boolean isFenced() {
    return fenced;
  }

  /// Whether all its steps are on disk as they are here.
  boolean isRecorded() {
    return recorded.size() == write.records().size();
  }
}
