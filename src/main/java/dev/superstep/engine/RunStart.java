package dev.superstep.engine;

import dev.superstep.context.PromptContext;
import dev.superstep.engine.Checkpoint.Stamp;
import dev.superstep.graph.Graph;
import dev.superstep.graph.Limits;
import dev.superstep.graph.Node;
import dev.superstep.graph.NodeId;
import dev.superstep.state.Change;
import dev.superstep.state.Fold;
import dev.superstep.state.GraphState;
import dev.superstep.state.MessageIds;
import dev.superstep.state.ObjectValue;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Superstep 0 (E9): the input is folded into the initial state, then the edges of `__start__` are
/// resolved.
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

  /// What a run begins with.
  ///
  /// @param state of the thread's last succeeded run; empty for a new thread
  /// @param context the run's initial prompt context; empty if it keeps none
  public record Origin(GraphState state, Optional<PromptContext> context) {
    public static final Origin NOTHING = new Origin(GraphState.empty(), Optional.empty());
  }

  /// The state before the input: what the thread carries over, then the defaults of channels
  /// without a value (E18), and in mirrors what they mirror (E21).
  ///
  /// @param inherited what the thread's last run has left; empty for a new thread
  public static GraphState initial(Graph graph, GraphState inherited) {
    return graph.channels().withDefaults(graph.channels().carriedOver(inherited));
  }

  public Prepared begin(RunHeader header, ObjectValue input, Origin asked) {
    // A thread may have more history than this version of the graph keeps.
    var origin =
        new Origin(asked.state(), asked.context().map(program.contexts().history()::bound));
    var channels = program.graph().channels();
    var change =
        MessageIds.identify(
            Change.update(input), channels, Ids.messages(header.ordinal(), KEY, 0), 0);
    var fold = Fold.over(channels, initial(program.graph(), origin.state()));
    var problem = change.isEmpty() ? Optional.<Fold.Problem>empty() : fold.apply(List.of(change));
    var task = new Task(KEY, START, null);
    if (problem.isPresent()) {
      return new Prepared.Refused(FoldErrors.of("the input", problem.get()));
    }
    if (Checkpoint.sizeBytes(fold.state(), origin.context()) > limits.stateBytesMax()) {
      return new Prepared.Refused(Settlement.tooLarge(limits));
    }
    try {
      var pending = route(header, task, fold.state(), origin.context());
      var after = checkpoint(fold.state(), origin.context(), pending);
      return new Prepared.Ready(
          new Commit.Write(after, new Commit.Delta(List.of(), Optional.of(change), fold.opaque())));
    } catch (TaskFailedException e) {
      return new Prepared.Refused(e.error());
    }
  }

  private Pending route(
      RunHeader header, Task task, GraphState state, Optional<PromptContext> context) {
    var before = checkpoint(state, context, new Pending(List.of(), Map.of(), false, 0));
    var frame = new Frame(header, program, before, Limits.NONE, Frame.Outside.of(clock));
    return Chain.begin(route(frame, task), context);
  }

  /// The engine's own task, whose edges say what runs first.
  static Task task(int superstep) {
    return new Task(new TaskKey(superstep, NodeId.START, null), START, null);
  }

  /// Where the edges of `__start__` lead from the state of a frame.
  static Pending route(Frame frame, Task task) {
    var routes = Routes.of(frame.program().graph(), frame.run().ordinal());
    var exit = ContextExit.of(frame, task, ObjectValue.empty());
    var scope = exit.over(new Call(frame, task, frame.at().state(), Call.Attempt.FIRST));
    var routed = routes.router().routeStart(task, scope, exit);
    var emitted = Emissions.of(routed.activated(), task.key(), exit);
    return Emitted.pending(routes, frame.at().pending(), emitted);
  }

  private Checkpoint checkpoint(
      GraphState state, Optional<PromptContext> context, Pending pending) {
    var stamp = new Stamp(0, CheckpointKind.INPUT, 0, clock.instant());
    return new Checkpoint(stamp, state, context, pending, Map.of(), 0);
  }
}
