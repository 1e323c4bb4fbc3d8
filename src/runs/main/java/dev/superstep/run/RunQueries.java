package dev.superstep.run;

import dev.superstep.checkpoint.StoredInterrupt;
import dev.superstep.context.PromptContext;
import dev.superstep.graph.NodeId;
import dev.superstep.state.value.ObjectValue;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/// Reads runs. Unknown ids are refused as `run_not_found`, `interrupt_not_found`,
/// `checkpoint_not_found`. Lists are newest first unless stated otherwise.
public interface RunQueries {

  default RunView run(String id) {
    return run(id, Set.of());
  }

  /// @param without what is not read of it, and empty in the answer
  RunView run(String id, Set<RunPart> without);

  /// The run without the parts that are costly to read.
  RunSummary summary(String id);

  Page<RunSummary> search(RunFilter filter, Page.Request page);

  /// @param checkpoint empty: the last
  StateView state(String run, Optional<Integer> checkpoint);

  /// The state with what the finished tasks of a held superstep have changed, which is not
  /// committed yet.
  ///
  /// @param checkpoint empty: the last
  ObjectValue stateWithPending(String run, Optional<Integer> checkpoint);

  /// The stops in the superstep behind `superstep`, oldest first.
  List<HeldStop> stops(String run, int superstep);

  /// The prompt context; empty values if the graph keeps none.
  ///
  /// @param checkpoint empty: the last
  PromptContext context(String run, Optional<Integer> checkpoint);

  /// The prompt context that a task received, with the deciding rules (P17): a task that checkpoint
  /// `number` activates, else one of the superstep that it commits.
  ///
  /// @param dispatch empty: a plain activation
  NodeContextView nodeContext(String run, int number, String node, Optional<String> dispatch);

  /// @param superstep empty: all
  Page<CheckpointSummary> checkpoints(String run, Optional<Integer> superstep, Page.Request page);

  CheckpointView checkpoint(String run, int number);

  /// The checkpoint that has committed a superstep; empty if none has, or it is erased.
  Optional<CommitView> commit(String run, int superstep);

  /// Newest superstep first, in task order within one.
  Page<TaskView> tasks(String run, TaskFilter filter, Page.Request page);

  /// The tasks counted by node, from the newest superstep on.
  ///
  /// @param after only supersteps behind this one; -1: all
  /// @param cursor of an earlier answer; empty: from the newest on
  NodeCounts nodes(String run, int after, Optional<String> cursor);

  /// Newest first.
  Page<StoredInterrupt> interrupts(InterruptFilter filter, Page.Request page);

  /// The questions with which a run has stopped in the middle of a superstep, in the order in which
  /// they stood in [#run]: those of its tasks, and those that runs inside had asked.
  ///
  /// @param at when it stopped
  /// @param until when it went on
  List<StoredInterrupt> questions(String run, HeldStop stop, Instant at, Instant until);

  StoredInterrupt interrupt(String id);

  /// Stored events, ascending.
  ///
  /// @param after the `seq` behind which to begin; 0: all
  /// @param types empty: any
  List<EventView> events(String run, long after, Set<String> types, int limit);

  /// The `seq` of the newest stored event; 0: there is none, or no such run.
  long lastEvent(String run);

  /// The number of the history in which the database is: it grows when the database goes back.
  int era();

  /// The `seq` up to which the events of a run that were sent in an earlier history are part of
  /// this one.
  long validThrough(String run, int era);

  /// The status of each node of the run; nodes that were never activated are absent.
  Map<NodeId, NodeStatus> marks(String run);
}
