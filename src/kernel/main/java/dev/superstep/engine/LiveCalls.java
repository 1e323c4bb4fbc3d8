package dev.superstep.engine;

import dev.superstep.engine.checkpoint.StepRecord;
import dev.superstep.engine.checkpoint.StepRecord.StepEnd;
import dev.superstep.engine.checkpoint.StepRecord.StepKind;
import dev.superstep.engine.node.StepJournal;
import dev.superstep.engine.node.StepJournal.JournaledStep;
import dev.superstep.engine.run.TaskFailedException;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// The steps of a running attempt that are known by their names. Their places, behind those of all
/// others, are in the order in which they have ended. Safe for use by several threads.
final class LiveCalls {
  /// By place: recorded, and not reached by the code yet.
  private final SortedMap<Integer, StepRecord> left = new TreeMap<>();

  /// How many of each name were begun.
  private final Map<String, Integer> begun = new HashMap<>();

  /// Places of which is known what they hold; one that is given, and not written yet, is none.
  private final Set<Integer> known = new HashSet<>();

  private int count;
  private int next = StepJournal.COUNT_MAX;

  /// Adds what is recorded.
  synchronized void add(List<StepRecord> records) {
    for (var record : records) {
      if (known.add(record.ordinal())) {
        left.put(record.ordinal(), record);
        next = Math.max(next, record.ordinal() + 1);
      }
    }
  }

  /// @throws TaskFailedException with `step_mismatch` if the thread of the node, which makes one
  ///   call behind the other, has made another one there before
  synchronized JournaledStep begin(String name, StepKind kind) {
    if (count == StepJournal.COUNT_MAX) {
      throw LiveSteps.tooMany();
    }
    count++;
    var end = take(name);
    if (end.isEmpty() && kind == StepKind.CALL) {
      left.values().stream()
          .filter(it -> it.kind() == StepKind.CALL)
          .findFirst()
          .ifPresent(it -> {
            throw mismatch(it, name);
          });
    }
    int place = begun.merge(name, 1, Integer::sum) - 1;
    return new JournaledStep(place, name, kind, end);
  }

  /// How the next call of this name has ended.
  synchronized Optional<StepEnd> take(String name) {
    var found = left.values().stream().filter(it -> it.name().equals(name)).findFirst();
    return found.flatMap(it -> {
      left.remove(it.ordinal());
      return it.end();
    });
  }

  /// Gives the step a place.
  synchronized StepRecord place(JournaledStep step, StepEnd end) {
    return new StepRecord(next++, step.name(), step.kind(), Optional.of(end));
  }

  /// It is on disk there.
  synchronized void written(StepRecord record) {
    known.add(record.ordinal());
    left.remove(record.ordinal());
  }

  /// @throws TaskFailedException with `step_mismatch`
  synchronized void requireNoneLeft() {
    for (var record : left.values()) {
      if (record.kind() != StepKind.INNER) {
        throw mismatch(record, null);
      }
    }
  }

  private static TaskFailedException mismatch(StepRecord record, @Nullable String found) {
    return LiveSteps.mismatch(record.ordinal() - StepJournal.COUNT_MAX, record.name(), found);
  }
}
