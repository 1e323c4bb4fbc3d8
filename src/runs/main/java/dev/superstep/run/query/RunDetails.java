package dev.superstep.run.query;

import dev.superstep.checkpoint.CheckpointInfo;
import dev.superstep.checkpoint.StoredInterrupt;
import dev.superstep.checkpoint.row.Checkpoints;
import dev.superstep.definition.Compiled;
import dev.superstep.engine.Planner;
import dev.superstep.engine.checkpoint.Checkpoint;
import dev.superstep.engine.checkpoint.CheckpointKind;
import dev.superstep.engine.checkpoint.TaskRecord;
import dev.superstep.engine.run.RunStatus;
import dev.superstep.engine.run.TaskKey;
import dev.superstep.problem.Cursor;
import dev.superstep.problem.ErrorCode;
import dev.superstep.problem.ServiceException;
import dev.superstep.run.CheckpointSummary;
import dev.superstep.run.CheckpointView;
import dev.superstep.run.CommitView;
import dev.superstep.run.Page;
import dev.superstep.run.RunSummary;
import dev.superstep.run.StateView;
import dev.superstep.run.TaskView;
import dev.superstep.run.store.EditCounts;
import dev.superstep.run.store.RunFinder;
import dev.superstep.run.store.RunInputEntity;
import dev.superstep.state.Fold;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.state.value.Value;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.springframework.stereotype.Component;

/// Reads the views of a run's checkpoints.
@Component
public class RunDetails {
  private static final int LISTED_MAX = 200;
  private static final Set<CheckpointKind> COMMITS =
      Set.of(CheckpointKind.STEP, CheckpointKind.FINAL);

  /// What a run stores while it is stopped.
  private static final Set<CheckpointKind> BETWEEN =
      Set.of(CheckpointKind.HELD, CheckpointKind.UPDATE);

  private final Checkpoints checkpoints;
  private final RunFinder runFinder;
  private final InterruptQueries interruptQueries;
  private final EditCounts editCounts;
  private final TaskEnds ends;

  RunDetails(
      Checkpoints checkpoints,
      RunFinder runFinder,
      InterruptQueries interruptQueries,
      EditCounts editCounts,
      TaskEnds ends) {
    this.ends = ends;
    this.checkpoints = checkpoints;
    this.runFinder = runFinder;
    this.interruptQueries = interruptQueries;
    this.editCounts = editCounts;
  }

  RunInputEntity input(String run) {
    return runFinder.input(run);
  }

  /// @throws ServiceException `checkpoint_not_found`
  Checkpoint rebuild(RunSummary run, int number) {
    var graph = runFinder.graph(run).program().graph();
    return checkpoints
        .rebuild(runFinder.header(run), number, graph)
        .orElseThrow(() -> notFound(number));
  }

  private static ServiceException notFound(int number) {
    return new ServiceException(
        ErrorCode.CHECKPOINT_NOT_FOUND, "the run has no checkpoint %d".formatted(number));
  }

  /// The declared channels of the final state, else all of it.
  public Optional<Value> output(RunSummary run) {
    if (run.status() != RunStatus.SUCCEEDED) {
      return Optional.empty();
    }
    var state = rebuild(run, run.standing().checkpoint()).state().channels();
    return Optional.of(output(runFinder.graph(run), state));
  }

  /// The output of a run of this graph that ended with this state.
  public static Value output(Compiled graph, ObjectValue state) {
    return Compiled.output(graph.outputChannels(), state);
  }

  Page<CheckpointSummary> list(RunSummary run, Optional<Integer> superstep, Page.Request page) {
    int before = page.cursor().map(it -> Cursor.read(it, 1).integer(0)).orElse(Integer.MAX_VALUE);
    var found =
        checkpoints.list(run.id(), before, superstep, page.limit() + 1).stream()
            .map(RunDetails::summary)
            .toList();
    return Pages.of(found, page.limit(), it -> List.of(Integer.toString(it.number())));
  }

  private static CheckpointSummary summary(CheckpointInfo info) {
    var stamp = info.stamp();
    return new CheckpointSummary(
        stamp.number(),
        stamp.kind(),
        stamp.superstep(),
        stamp.number() == 0 ? Optional.empty() : Optional.of(stamp.number() - 1),
        info.stateHash(),
        stamp.at());
  }

  StateView state(RunSummary run, int number) {
    var checkpoint = rebuild(run, number);
    return new StateView(
        number,
        checkpoint.superstep(),
        checkpoint.state().channels(),
        checkpoint.stateHash(),
        held(run, checkpoint));
  }

  /// The state with what the finished tasks of the held superstep have changed, folded as their
  /// commit would. A change that cannot be folded is left out.
  ObjectValue stateWithPending(RunSummary run, int number) {
    var checkpoint = rebuild(run, number);
    var graph = runFinder.graph(run).program().graph();
    var fold = Fold.over(graph.channels(), checkpoint.state());
    checkpoint.held().values().stream()
        .filter(it -> !it.changes().isEmpty())
        .sorted(Comparator.comparing(TaskRecord::key, TaskOrder.of(graph, checkpoint.pending())))
        .forEach(it -> fold.apply(it.changes()));
    return fold.state().channels();
  }

  private List<TaskView> held(RunSummary run, Checkpoint checkpoint) {
    var keyed = editCounts.of(run.id()).behind(checkpoint.superstep());
    var views = new TaskViews(run.status(), checkpoint.pending(), keyed);
    var graph = runFinder.graph(run).program().graph();
    return checkpoint.held().values().stream()
        .sorted(Comparator.comparing(TaskRecord::key, TaskOrder.of(graph, checkpoint.pending())))
        .map(views::view)
        .toList();
  }

  CheckpointView view(RunSummary run, int number) {
    var stored = checkpoints.find(run.id(), number).orElseThrow(() -> notFound(number));
    var checkpoint = rebuild(run, number);
    return new CheckpointView(
        summary(new CheckpointInfo(stored.stamp(), stored.stateHash())),
        checkpoint.pending().activations(),
        due(run, checkpoint),
        held(run, checkpoint),
        interrupts(run, checkpoint),
        checkpoint.pending().arrivals(),
        stored.delta().edit(),
        ends.of(run.id(), stored),
        checkpoint.state().channels());
  }

  /// The checkpoint that has committed a superstep.
  Optional<CommitView> commit(RunSummary run, int superstep) {
    return checkpoints
        .list(run.id(), Integer.MAX_VALUE, Optional.of(superstep), LISTED_MAX)
        .stream()
        .map(it -> it.stamp())
        .filter(it -> COMMITS.contains(it.kind()))
        .findFirst()
        .map(it -> new CommitView(view(run, it.number()), isHeldBefore(run, it.number())));
  }

  private boolean isHeldBefore(RunSummary run, int number) {
    return checkpoints.list(run.id(), number, Optional.empty(), 1).stream()
        .anyMatch(it -> BETWEEN.contains(it.stamp().kind()));
  }

  private List<TaskKey> due(RunSummary run, Checkpoint checkpoint) {
    var planner = new Planner(runFinder.graph(run).program().graph());
    return planner.keys(checkpoint.pending().activations(), checkpoint.superstep() + 1);
  }

  private List<StoredInterrupt> interrupts(RunSummary run, Checkpoint checkpoint) {
    var requested = new HashSet<String>();
    for (var record : checkpoint.held().values()) {
      if (record.status() instanceof TaskRecord.TaskStatus.Interrupted(var interrupt)) {
        requested.add(interrupt.id());
      }
    }
    return requested.isEmpty()
        ? List.of()
        : interruptQueries.ofRun(run.id()).stream()
            .filter(it -> requested.contains(it.id()))
            .sorted(
                Comparator.comparing(
                    it -> it.place().task(),
                    TaskOrder.of(runFinder.graph(run).program().graph(), checkpoint.pending())))
            .toList();
  }
}
