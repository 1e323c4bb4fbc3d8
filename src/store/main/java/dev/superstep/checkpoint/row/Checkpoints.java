package dev.superstep.checkpoint.row;

import dev.superstep.checkpoint.CheckpointInfo;
import dev.superstep.checkpoint.StoredCheckpoint;
import dev.superstep.engine.checkpoint.Checkpoint;
import dev.superstep.engine.checkpoint.Pending;
import dev.superstep.engine.checkpoint.TaskRecord;
import dev.superstep.engine.run.RunHeader;
import dev.superstep.graph.Graph;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import org.springframework.data.domain.Limit;
import org.springframework.stereotype.Component;

/// Reads the checkpoints of runs. Rows never change: no transaction is needed.
@Component
public class Checkpoints {
  private final CheckpointRows rows;
  private final RecordedTaskRows recorded;
  private final SnapshotPolicy snapshotPolicy;
  private final ReadWeights weights;

  Checkpoints(
      CheckpointRows rows,
      RecordedTaskRows recorded,
      SnapshotPolicy snapshotPolicy,
      ReadWeights weights) {
    this.weights = weights;
    this.rows = rows;
    this.recorded = recorded;
    this.snapshotPolicy = snapshotPolicy;
  }

  /// The checkpoint as it was, in time and memory proportional to its state (E45).
  ///
  /// @param graph the run's version
  /// @return empty if the run has no such checkpoint
  /// @throws CorruptCheckpointException if its state does not have the stored hash
  public Optional<Checkpoint> rebuild(RunHeader run, int number, Graph graph) {
    weights.holdChain(run.id(), number);
    var chain = rows.chain(run.id(), number);
    return chain.isEmpty()
        ? Optional.empty()
        : Optional.of(CheckpointReplay.of(chain, graph, run.ordinal()));
  }

  /// The checkpoint as it is stored.
  public Optional<StoredCheckpoint> find(String run, int number) {
    return rows.row(run, number).map(CheckpointRow::stored);
  }

  /// Lists checkpoints, newest first.
  ///
  /// @param before only numbers below this one
  /// @param superstep only those that name it; empty: all
  public List<CheckpointInfo> list(String run, int before, Optional<Integer> superstep, int limit) {
    return rows.list(run, before, superstep.orElse(null), Limit.of(limit)).stream()
        .map(CheckpointRows.ListedRow::info)
        .toList();
  }

  /// The checkpoints that committed a superstep (`step`, `final`), newest first: their tasks are
  /// all tasks of that superstep, in task order. Large ones are fewer at a time.
  ///
  /// @param below only supersteps below this one
  /// @return empty: there are no more
  public List<StoredCheckpoint> committed(String run, int below, int limit) {
    var part = Limit.of(weights.holdCommitted(run, below, limit));
    return rows.committed(run, below, part).stream().map(CheckpointRow::stored).toList();
  }

  /// The checkpoints that hold the superstep behind `superstep`, oldest first: a task's last record
  /// is its status.
  public List<StoredCheckpoint> holding(String run, int superstep) {
    weights.holdHeld(run, superstep);
    return rows.holding(run, superstep).stream().map(CheckpointRow::stored).toList();
  }

  /// The same, with the events that were stored with them.
  public List<HeldCheckpoint> holdingWithEvents(String run, int superstep) {
    return rows.heldWithEvents(run, superstep).stream().map(it -> it.read(superstep)).toList();
  }

  /// What was pending before checkpoint `number`: it includes the tasks of a superstep, with their
  /// dispatches.
  public Optional<Pending> pendingBefore(String run, int number) {
    return rows.planned(run, number, Limit.of(1)).stream()
        .findFirst()
        .flatMap(it -> it.content().pending());
  }

  /// Outcomes of tasks of the open superstep that no checkpoint includes yet (E10.3).
  ///
  /// @param superstep the open one
  public List<TaskRecord> recorded(String run, int superstep) {
    var found = new ArrayList<TaskRecord>();
    recorded.list(run, superstep).forEach(it -> found.add(it.record()));
    return found;
  }

  /// Deletes the checkpoints of runs, in the current transaction, before the runs themselves: there
  /// is no foreign key that would cascade.
  public void delete(Collection<String> runs) {
    rows.delete(runs.toArray(String[]::new));
    runs.forEach(snapshotPolicy::drop);
  }
}
