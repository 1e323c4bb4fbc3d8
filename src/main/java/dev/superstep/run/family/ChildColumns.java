package dev.superstep.run.family;

import dev.superstep.engine.checkpoint.ChildRef;
import dev.superstep.engine.checkpoint.ChildStart;
import dev.superstep.engine.checkpoint.TaskRecord;
import dev.superstep.engine.checkpoint.TaskRecord.TaskStatus;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Links of tasks to the child runs that they have begun, as columns.
public final class ChildColumns {
  private ChildColumns() {}

  /// @param records each has begun a run
  public static Map<String, Object> of(List<TaskRecord> records) {
    int size = records.size();
    var children = new String[size];
    var supersteps = new Integer[size];
    var nodes = new String[size];
    @Nullable String[] dispatches = new String[size];
    var numbers = new Integer[size];
    var wakesBelow = new Integer[size];
    for (int i = 0; i < size; i++) {
      var record = records.get(i);
      var child = ChildRef.of(record).orElseThrow();
      children[i] = child.run();
      numbers[i] = child.number();
      supersteps[i] = record.key().superstep();
      nodes[i] = record.key().node().value();
      dispatches[i] = record.key().dispatchId();
      wakesBelow[i] = wakesBelow(record);
    }
    return Map.of(
        "children", children,
        "supersteps", supersteps,
        "nodes", nodes,
        "dispatches", dispatches,
        "numbers", numbers,
        "wakesBelow", wakesBelow);
  }

  private static int wakesBelow(TaskRecord record) {
    return record.ending() instanceof TaskStatus.Child(_, var start)
        ? start.map(ChildStart::wakesBelow).orElse(0)
        : 0;
  }
}
