package dev.superstep.checkpoint.row;

import dev.superstep.checkpoint.WriteBatcher;
import dev.superstep.engine.checkpoint.CallbackRef;
import dev.superstep.engine.checkpoint.ChildRef;
import dev.superstep.engine.checkpoint.TaskRecord;
import dev.superstep.engine.checkpoint.TaskRecord.TaskStatus;
import dev.superstep.engine.checkpoint.WorkerRef;
import dev.superstep.engine.run.Event;
import dev.superstep.engine.run.Lease;
import java.util.List;

/// Outcomes of one run's tasks to be recorded, with nothing else to write (E10.3).
final class OutcomeBatch implements WriteBatcher.Member {
  private final Lease lease;
  private final List<TaskRecord> records;
  private final byte[][] contents;
  private volatile boolean written;

  public OutcomeBatch(Lease lease, List<TaskRecord> records) {
    this.lease = lease;
    this.records = records;
    this.contents = records.stream().map(RecordedTaskEntity::bytes).toArray(byte[][]::new);
  }

  /// Whether the outcomes come without questions and events, so that writing them twice is
  /// harmless.
  public static boolean isPlain(List<TaskRecord> records, List<Event> events) {
    return events.isEmpty() && records.stream().noneMatch(OutcomeBatch::makesRows);
  }

  private static boolean makesRows(TaskRecord record) {
    return record.status() instanceof TaskStatus.Interrupted
        || record.status() instanceof TaskStatus.Child
        || record.status() instanceof TaskStatus.AtWorker
        || isCalledOff(record);
  }

  /// Whether somebody may still work for a task that is not needed any more.
  static boolean isCalledOff(TaskRecord record) {
    return record.status() instanceof TaskStatus.Cancelled
        && (ChildRef.of(record).isPresent()
            || WorkerRef.numberIn(record.parts()) > 0
            || CallbackRef.numberIn(record.parts()) > 0);
  }

  /// The superstep that must be the last committed one: what is recorded belongs to the next. An
  /// epoch alone does not say that the history is still the one that the driver knows.
  ///
  /// @return negative: any
  static int behind(List<TaskRecord> records) {
    return records.isEmpty() ? -1 : records.getFirst().key().superstep() - 1;
  }

  Lease lease() {
    return lease;
  }

  List<TaskRecord> records() {
    return records;
  }

  byte[] content(int index) {
    return contents[index];
  }

  @Override
  public long bytes() {
    long bytes = 0;
    for (var content : contents) {
      bytes += content.length;
    }
    return bytes;
  }

  void written() {
    written = true;
  }

  boolean isWritten() {
    return written;
  }
}
