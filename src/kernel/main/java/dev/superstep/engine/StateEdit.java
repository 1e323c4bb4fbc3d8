package dev.superstep.engine;

import dev.superstep.context.ContextEdit;
import dev.superstep.engine.checkpoint.Checkpoint;
import dev.superstep.engine.checkpoint.Checkpoint.Stamp;
import dev.superstep.engine.checkpoint.CheckpointKind;
import dev.superstep.engine.checkpoint.Commit;
import dev.superstep.engine.checkpoint.Pending;
import dev.superstep.engine.checkpoint.PreparedCheckpoint;
import dev.superstep.engine.run.Activation;
import dev.superstep.engine.run.EngineLimits;
import dev.superstep.engine.run.FoldErrors;
import dev.superstep.engine.run.Ids;
import dev.superstep.engine.run.NodeResult;
import dev.superstep.engine.run.RunHeader;
import dev.superstep.engine.run.Spending;
import dev.superstep.engine.run.Task;
import dev.superstep.engine.run.TaskError;
import dev.superstep.engine.run.TaskFailedException;
import dev.superstep.engine.run.TaskKey;
import dev.superstep.graph.Limits;
import dev.superstep.graph.NodeId;
import dev.superstep.state.Change;
import dev.superstep.state.Fold;
import dev.superstep.state.GraphState;
import dev.superstep.state.MessageIds;
import dev.superstep.state.value.ObjectValue;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Prepares the checkpoints of manual state edits (E42) and of forks (E48).
public final class StateEdit {
  private final Program program;
  private final RunHeader header;
  private final EngineLimits limits;
  private final InstantSource clock;

  /// @param header of the run that gets the checkpoint
  public StateEdit(Program program, RunHeader header, EngineLimits limits, InstantSource clock) {
    this.program = program;
    this.header = header;
    this.limits = limits;
    this.clock = clock;
  }

  /// An edit of the state alone.
  public PreparedCheckpoint update(Checkpoint at, Change change) {
    return update(at, change, ContextEdit.NONE, List.of());
  }

  /// The next checkpoint of the run, of kind `update`: unresolved tasks see the edited state and
  /// prompt context, held results and pending activations stay.
  ///
  /// @param goTo nodes that are activated besides what is pending
  public PreparedCheckpoint update(
      Checkpoint before, Change change, ContextEdit context, List<NodeId> goTo) {
    try {
      var at = EditedContext.of(before, program, context);
      var edited = fold(at, change, at.edits());
      var stamp =
          new Stamp(
              at.number() + 1,
              CheckpointKind.UPDATE,
              at.superstep(),
              clock.instant(),
              at.stamp().era());
      var after =
          new Checkpoint(
              stamp, edited.state(), at.context(), plus(at, goTo), at.held(), at.edits() + 1);
      return ready(after, edited, contextDelta(before, at));
    } catch (TaskFailedException e) {
      return new PreparedCheckpoint.Refused(e.error());
    }
  }

  /// Adds activations of unknown origin, so they get the run's whole context (P11). `__end__`
  /// leaves the pending list while it has other entries (E13).
  private static Pending plus(Checkpoint at, List<NodeId> goTo) {
    var before = at.pending();
    if (goTo.isEmpty()) {
      return before;
    }
    var activations = new ArrayList<>(before.activations());
    boolean ends = activations.removeIf(it -> it.node().equals(NodeId.END));
    for (var node : goTo) {
      var activation = new Activation.Plain(node);
      if (!activations.contains(activation)) {
        activations.add(activation);
      }
    }
    return new Pending(
        activations,
        before.arrivals(),
        before.ended() || ends,
        before.dispatched(),
        before.tried(),
        before.origins(),
        before.spent(),
        before.outcomes());
  }

  private static Commit.ContextDelta contextDelta(Checkpoint before, Checkpoint after) {
    return after.context().equals(before.context())
        ? Commit.ContextDelta.NONE
        : new Commit.ContextDelta(after.context(), 0);
  }

  /// A fork whose prompt context is not edited.
  public PreparedCheckpoint fork(Checkpoint source, Change change, Optional<NodeId> asNode) {
    return fork(source, change, ContextEdit.NONE, asNode);
  }

  /// The first checkpoint of a new run, from a committed one of another: its state, armed joins and
  /// pending activations; held results are not taken.
  ///
  /// @param asNode the change counts as this node's result, and its routing replaces the pending
  ///   activations; `__end__` clears them, `__start__` routes the edited state anew. Arrivals that
  ///   a join has consumed were restored before ([ConsumedArrivals])
  public PreparedCheckpoint fork(
      Checkpoint from, Change change, ContextEdit context, Optional<NodeId> asNode) {
    try {
      var source = EditedContext.of(from, program, context);
      var edited = fold(source, change, 0);
      var pending =
          asNode
              .map(it -> reroute(source, edited, it))
              .orElse(source.pending().with(Spending.NOTHING));
      var missing = missing(pending);
      if (missing.isPresent()) {
        return new PreparedCheckpoint.Refused(
            TaskError.permanent(
                "missing_node",
                "node '%s' is pending and not in this version".formatted(missing.get())));
      }
      var stamp = new Stamp(0, CheckpointKind.FORK, source.superstep(), clock.instant());
      var after = new Checkpoint(stamp, edited.state(), source.context(), pending, Map.of(), 0);
      return ready(after, edited, Commit.ContextDelta.NONE);
    } catch (TaskFailedException e) {
      return new PreparedCheckpoint.Refused(e.error());
    }
  }

  private record Edited(GraphState state, Change change, Fold fold) {}

  private static PreparedCheckpoint ready(
      Checkpoint after, Edited edited, Commit.ContextDelta context) {
    return new PreparedCheckpoint.Ready(
        new Commit.Write(
            after,
            new Commit.Delta(
                List.of(), Optional.of(edited.change()), edited.fold().opaque(), context)));
  }

  private Edited fold(Checkpoint at, Change change, int edits) {
    var channels = program.graph().channels();
    var key = new TaskKey(at.superstep(), NodeId.START, "edit-" + edits);
    var prefix = Ids.messages(header.ordinal(), key, 0);
    var identified = MessageIds.identify(change, channels, prefix, 0);
    var fold = Fold.over(channels, at.state());
    var problem =
        identified.isEmpty() ? Optional.<Fold.Problem>empty() : fold.apply(List.of(identified));
    if (problem.isPresent()) {
      throw new TaskFailedException(FoldErrors.of("the edit", problem.get()));
    }
    if (Checkpoint.sizeBytes(fold.state(), at.context()) > limits.stateBytesMax()) {
      throw new TaskFailedException(SuperstepReducer.tooLarge(limits));
    }
    return new Edited(fold.state(), identified, fold);
  }

  private Pending reroute(Checkpoint source, Edited edited, NodeId asNode) {
    var before = source.pending();
    if (asNode.equals(NodeId.END)) {
      return new Pending(
          List.of(new Activation.Plain(NodeId.END)), Map.of(), true, before.dispatched());
    }
    if (asNode.equals(NodeId.START)) {
      return restart(source, edited);
    }
    var node =
        program
            .graph()
            .find(asNode)
            .orElseThrow(() ->
                TaskFailedException.invalidRoute(
                    "as_node: there is no node '%s'".formatted(asNode)));
    var task = new Task(new TaskKey(source.superstep(), asNode, null), node, null);
    var superstepContext =
        new SuperstepContext(
            header, program, source, Limits.NONE, SuperstepContext.Environment.of(clock));
    var routes = Routes.of(program.graph(), header.ordinal());
    var exit = OutgoingContext.of(superstepContext, task, ObjectValue.empty());
    exit.requireOutgoing();
    var scope =
        exit.over(
            new AttemptCall(superstepContext, task, edited.state(), AttemptCall.Attempt.FIRST));
    var routed = routes.router().route(task, NodeResult.NOTHING, scope, exit);
    var routing = SuperstepRouting.of(routed.activated(), task.key(), exit);
    return ChainContexts.edited(
        superstepContext, PendingRouting.pending(routes, cleared(before), routing), task);
  }

  /// Clears arrivals and ended branches, as at superstep 0.
  private Pending restart(Checkpoint source, Edited edited) {
    var before = source.pending();
    var nothing = new Pending(List.of(), Map.of(), false, before.dispatched(), before.tried());
    var at =
        new Checkpoint(
            source.stamp(), edited.state(), source.context(), nothing, Map.of(), source.edits());
    var task = RunStart.task(source.superstep());
    var superstepContext =
        new SuperstepContext(
            header, program, at, Limits.NONE, SuperstepContext.Environment.of(clock));
    return ChainContexts.begin(RunStart.route(superstepContext, task), source.context());
  }

  private static Pending cleared(Pending before) {
    return new Pending(
        List.of(),
        before.arrivals(),
        before.ended(),
        before.dispatched(),
        before.tried(),
        before.origins(),
        Spending.NOTHING);
  }

  private Optional<NodeId> missing(Pending pending) {
    return pending.activations().stream()
        .map(Activation::node)
        .filter(it -> !it.equals(NodeId.END) && !program.graph().has(it))
        .findFirst();
  }
}
