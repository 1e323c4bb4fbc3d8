package dev.superstep.engine;

import dev.superstep.context.PromptContext;
import dev.superstep.engine.checkpoint.Checkpoint;
import dev.superstep.engine.checkpoint.Checkpoint.Stamp;
import dev.superstep.engine.checkpoint.CheckpointKind;
import dev.superstep.engine.checkpoint.Commit;
import dev.superstep.engine.checkpoint.Pending;
import dev.superstep.engine.checkpoint.PreparedCheckpoint;
import dev.superstep.engine.run.EngineLimits;
import dev.superstep.engine.run.FoldErrors;
import dev.superstep.engine.run.Ids;
import dev.superstep.engine.run.RunHeader;
import dev.superstep.engine.run.Task;
import dev.superstep.engine.run.TaskFailedException;
import dev.superstep.engine.run.TaskKey;
import dev.superstep.graph.Graph;
import dev.superstep.graph.Limits;
import dev.superstep.graph.Node;
import dev.superstep.graph.NodeId;
import dev.superstep.state.Change;
import dev.superstep.state.Fold;
import dev.superstep.state.GraphState;
import dev.superstep.state.MessageIds;
import dev.superstep.state.value.ObjectValue;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Prepares superstep 0 (E9): folds the input into the initial state, then resolves the edges of
/// `__start__`.
public final class RunStart {
  private static final Node START =
      new Node(
          NodeId.START, "start", ObjectValue.empty(), Node.Policy.DEFAULT, Node.Routing.DEFAULT);
  private static final TaskKey KEY = new TaskKey(0, NodeId.START, null);

  private final Program program;
  private final EngineLimits limits;
  private final InstantSource clock;

  public RunStart(Program program, EngineLimits limits, InstantSource clock) {
    this.program = program;
    this.limits = limits;
    this.clock = clock;
  }

  /// The state and prompt context from which a run starts.
  ///
  /// @param state of the thread's last succeeded run; empty for a new thread
  /// @param context the run's initial prompt context; empty if it keeps none
  public record StartState(GraphState state, Optional<PromptContext> context) {
    public static final StartState NOTHING = new StartState(GraphState.empty(), Optional.empty());
  }

  /// The state before the input: what the thread carries over, then the defaults of channels
  /// without a value (E18), and in mirrors what they mirror (E21).
  ///
  /// @param inherited the final state of the thread's last run; empty for a new thread
  public static GraphState initial(Graph graph, GraphState inherited) {
    return graph.channels().withDefaults(graph.channels().carriedOver(inherited));
  }

  public PreparedCheckpoint begin(RunHeader header, ObjectValue input, StartState asked) {
    return begin(header, Change.update(input), asked);
  }

  /// @param input may replace values of the state and take messages out of it
  public PreparedCheckpoint begin(RunHeader header, Change input, StartState asked) {
    // A thread may have more history than this version of the graph keeps.
    var origin =
        new StartState(asked.state(), asked.context().map(program.contexts().history()::bound));
    var channels = program.graph().channels();
    var change = MessageIds.identify(input, channels, Ids.messages(header.ordinal(), KEY, 0), 0);
    var fold = Fold.over(channels, initial(program.graph(), origin.state()));
    var problem = change.isEmpty() ? Optional.<Fold.Problem>empty() : fold.apply(List.of(change));
    var task = new Task(KEY, START, null);
    if (problem.isPresent()) {
      return new PreparedCheckpoint.Refused(FoldErrors.of("the input", problem.get()));
    }
    if (Checkpoint.sizeBytes(fold.state(), origin.context()) > limits.stateBytesMax()) {
      return new PreparedCheckpoint.Refused(SuperstepReducer.tooLarge(limits));
    }
    try {
      var pending = route(header, task, fold.state(), origin.context());
      var after = checkpoint(fold.state(), origin.context(), pending);
      return new PreparedCheckpoint.Ready(
          new Commit.Write(after, new Commit.Delta(List.of(), Optional.of(change), fold.opaque())));
    } catch (TaskFailedException e) {
      return new PreparedCheckpoint.Refused(e.error());
    }
  }

  private Pending route(
      RunHeader header, Task task, GraphState state, Optional<PromptContext> context) {
    var before = checkpoint(state, context, new Pending(List.of(), Map.of(), false, 0));
    var superstepContext =
        new SuperstepContext(
            header, program, before, Limits.NONE, SuperstepContext.Environment.of(clock));
    return ChainContexts.begin(route(superstepContext, task), context);
  }

  /// The engine's own task, whose edges decide what runs first.
  static Task task(int superstep) {
    return new Task(new TaskKey(superstep, NodeId.START, null), START, null);
  }

  /// Resolves the edges of `__start__` against the checkpoint of a superstep context.
  static Pending route(SuperstepContext superstepContext, Task task) {
    var routes = Routes.of(superstepContext.program().graph(), superstepContext.run().ordinal());
    var exit = OutgoingContext.of(superstepContext, task, ObjectValue.empty());
    var scope =
        exit.over(
            new AttemptCall(
                superstepContext, task, superstepContext.at().state(), AttemptCall.Attempt.FIRST));
    var routed = routes.router().routeStart(task, scope, exit);
    var routing = SuperstepRouting.of(routed.activated(), task.key(), exit);
    return PendingRouting.pending(routes, superstepContext.at().pending(), routing);
  }

  private Checkpoint checkpoint(
      GraphState state, Optional<PromptContext> context, Pending pending) {
    var stamp = new Stamp(0, CheckpointKind.INPUT, 0, clock.instant());
    return new Checkpoint(stamp, state, context, pending, Map.of(), 0);
  }
}
