package dev.superstep.engine;

import dev.superstep.context.PromptContext;
import dev.superstep.engine.checkpoint.Checkpoint;
import dev.superstep.engine.checkpoint.DispatchOutcomes;
import dev.superstep.engine.checkpoint.Pending;
import dev.superstep.engine.checkpoint.TaskRecord;
import dev.superstep.engine.run.Activation;
import dev.superstep.engine.run.EngineLimits;
import dev.superstep.engine.run.FoldErrors;
import dev.superstep.engine.run.InboxMessage;
import dev.superstep.engine.run.NodeResult;
import dev.superstep.engine.run.Task;
import dev.superstep.engine.run.TaskError;
import dev.superstep.engine.run.TaskFailedException;
import dev.superstep.engine.run.TaskKey;
import dev.superstep.graph.Node;
import dev.superstep.graph.NodeId;
import dev.superstep.graph.Scope;
import dev.superstep.state.Change;
import dev.superstep.state.Fold;
import dev.superstep.state.GraphState;
import dev.superstep.state.Reducer;
import dev.superstep.state.ToolCalls;
import dev.superstep.state.value.Canonical;
import dev.superstep.state.value.ListValue;
import dev.superstep.state.value.ObjectValue;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/// Folds and routes one superstep, in task order, from the outcomes of its tasks (E10.4, E20, E22).
///
/// It is a function of its input: repeated after a crash, a resume or a failure it has an equal
/// result. One instance settles once.
final class SuperstepReducer {
  /// Messages that are too large for the last superstep and are measured one by one: the superstep
  /// is settled once more for each.
  private static final int LARGE_MAX = 8;

  private final SuperstepContext superstepContext;
  private final Routes routes;
  private final EngineLimits limits;
  private final Fold fold;
  private final List<TaskRecord> records = new ArrayList<>(4);
  private final SuperstepRouting routing = new SuperstepRouting();
  private final Set<String> dispatchIds = new HashSet<>();
  private FailureTally failureTally = FailureTally.NONE;

  /// Tasks under a policy whose results cannot be used, of an earlier try too.
  private final Map<TaskKey, Task> unusable = new HashMap<>(0);

  private final List<Task> tolerated = new ArrayList<>(0);
  private final SuperstepEnd end;
  private int dispatched;
  private long outcomeBytes;
  private boolean failing;

  /// @param tasks all of the superstep, in task order
  /// @param records of these, each done, rejected or failed
  /// @param messages to the run that no superstep has taken
  /// @param closedQuestions whether some of them have closed questions of the superstep
  record SuperstepEnd(
      List<Task> tasks,
      List<TaskRecord> records,
      List<InboxMessage> messages,
      boolean closedQuestions) {}

  SuperstepReducer(
      SuperstepContext superstepContext, Routes routes, EngineLimits limits, SuperstepEnd end) {
    this.end = end;
    this.superstepContext = superstepContext;
    this.routes = routes;
    this.limits = limits;
    fold = Fold.over(superstepContext.program().graph().channels(), superstepContext.at().state());
  }

  public static SuperstepResult settle(
      SuperstepContext superstepContext, Routes routes, EngineLimits limits, SuperstepEnd end) {
    var preset = new HashMap<Integer, TaskError>(1);
    var unusable = new HashMap<TaskKey, Task>(0);
    var admitted = Compactions.admitted(superstepContext.at().state(), end.records());
    while (true) {
      var reducer = new SuperstepReducer(superstepContext, routes, limits, end);
      reducer.unusable.putAll(unusable);
      var superstepResult = reducer.settle(end.tasks(), admitted, preset);
      if (reducer.hasToleratedTooMany()) {
        unusable.putAll(reducer.unusable);
        continue;
      }
      if (!(superstepResult instanceof SuperstepResult.Complete complete)
          || new RunSize(superstepContext).with(complete.state(), complete.records())
              <= limits.stateBytesMax()) {
        return superstepResult;
      }
      // The first task that crosses the limit fails (E15); the result of an error edge may fit.
      var crossing =
          new SuperstepReducer(superstepContext, routes, limits, end).crossing(complete.records());
      if (preset.put(crossing, tooLarge(limits)) != null) {
        return failing(complete.records(), crossing, tooLarge(limits));
      }
    }
  }

  /// Whether a result could not be used after a failure had been tolerated that is one too many
  /// with it.
  private boolean hasToleratedTooMany() {
    return tolerated.stream().anyMatch(it -> !failureTally.tolerates(it));
  }

  private static SuperstepResult failing(List<TaskRecord> records, int index, TaskError error) {
    var failing = new ArrayList<>(records);
    failing.set(index, rejected(records.get(index), error));
    return new SuperstepResult.Failing(failing);
  }

  private SuperstepResult settle(
      List<Task> tasks, List<TaskRecord> ended, Map<Integer, TaskError> preset) {
    var left = routes.planner().left(superstepContext.at().pending().activations());
    outcomeBytes = mayStay(left) ? Canonical.size(superstepContext.at().pending().outcomes()) : 0;
    left.forEach(this::claimId);
    dispatched = 0;
    failureTally = FailureTally.of(superstepContext.program().graph(), tasks, ended);
    unusable.values().forEach(failureTally::reject);
    for (int i = 0; i < tasks.size(); i++) {
      var failure = preset.get(i);
      var record = ended.get(i);
      settleTask(tasks.get(i), failure == null ? record : reject(tasks.get(i), record, failure));
    }
    return failing ? new SuperstepResult.Failing(records) : complete(left, preset);
  }

  private void settleTask(Task task, TaskRecord record) {
    try {
      switch (record.ended()) {
        case TaskRecord.TaskStatus.Done(var result) -> accept(task, record, result);
        case TaskRecord.TaskStatus.Rejected(_, var error) -> handle(task, record, error);
        case TaskRecord.TaskStatus.Failed(var error) -> handle(task, record, error);
        case TaskRecord.TaskStatus.Handled(var error, _) -> handle(task, record, error);
        case TaskRecord.TaskStatus.Cancelled _ -> {
          routing.arrive(task.key(), OutgoingContext.NONE);
          records.add(record);
        }
      }
    } catch (TaskFailedException e) {
      handleOrHold(task, reject(task, record, e.error()), e.error());
    }
  }

  private void accept(Task task, TaskRecord record, NodeResult result) {
    var changes = record.changes();
    if (task.isEngines() || result.runFailure() != null) {
      foldChanges(task, changes);
      records.add(record);
      return;
    }
    var exit = OutgoingContext.of(superstepContext, task, result.variables());
    exit.requireOutgoing();
    var routed =
        routes.router().route(task, result, exit.over(ownView(task, record, changes)), exit);
    var activations = routed.activated().activations();
    checkDispatches(activations);
    foldChanges(task, changes);
    routing.add(routed.activated(), exit);
    activations.forEach(this::claimId);
    if (routed.arrived() == Router.Arrived.YES) {
      routing.arrive(task.key(), exit);
    }
    records.add(record);
  }

  private void handleOrHold(Task task, TaskRecord record, TaskError error) {
    try {
      handle(task, record, error);
    } catch (TaskFailedException e) {
      hold(rejected(record, e.error()));
    }
  }

  private void handle(Task task, TaskRecord record, TaskError error) {
    boolean bears = failureTally.tolerates(task);
    if (bears) {
      tolerated.add(task);
    }
    var handling = routes.errorEdges().handle(superstepContext, task, record, error, bears);
    if (handling.isEmpty()) {
      hold(rejected(record, error));
      return;
    }
    var result = handling.get().result();
    var activations = handling.get().activated().activations();
    checkDispatches(activations);
    foldChanges(task, result.change().isEmpty() ? List.of() : List.of(result.change()));
    var exit = OutgoingContext.failed(superstepContext, task, result.variables());
    routing.add(handling.get().activated(), exit);
    activations.forEach(this::claimId);
    boolean goesOn = bears && result.equals(NodeResult.NOTHING);
    if (goesOn || task.node().policy().onError() == Node.OnError.ARRIVE) {
      routing.arrive(task.key(), exit);
    }
    records.add(record.with(new TaskRecord.TaskStatus.Handled(error, result)));
  }

  /// Whether outcomes of earlier dispatches may be told beside those of later ones (E54).
  private boolean mayStay(List<Activation> left) {
    var outcomes = superstepContext.at().pending().outcomes();
    return !outcomes.isEmpty()
        && (!left.isEmpty()
            || DispatchOutcomes.isAwaited(
                outcomes,
                superstepContext.program().graph().joins().stream()
                    .map(it -> Set.copyOf(it.from()))
                    .toList()));
  }

  private void hold(TaskRecord record) {
    failing = true;
    records.add(record);
  }

  /// Keeps a result that cannot be used, so that its node is not called again (E20).
  private static TaskRecord rejected(TaskRecord record, TaskError error) {
    return switch (record.ended()) {
      case TaskRecord.TaskStatus.Done(var result) ->
          record.with(new TaskRecord.TaskStatus.Rejected(result, error));
      case TaskRecord.TaskStatus.Rejected(var result, _) ->
          record.with(new TaskRecord.TaskStatus.Rejected(result, error));
      case TaskRecord.TaskStatus.Failed _, TaskRecord.TaskStatus.Handled _ ->
          record.with(new TaskRecord.TaskStatus.Failed(error));
      case TaskRecord.TaskStatus.Cancelled _ -> record;
    };
  }

  private TaskRecord reject(Task task, TaskRecord record, TaskError error) {
    if (record.status() instanceof TaskRecord.TaskStatus.Done
        && unusable.put(task.key(), task) == null) {
      failureTally.reject(task);
    }
    return rejected(record, error);
  }

  private void foldChanges(Task task, List<Change> changes) {
    if (changes.isEmpty()) {
      return;
    }
    var problem = fold.apply(changes);
    if (problem.isPresent()) {
      throw new TaskFailedException(FoldErrors.of(task.key().node().toString(), problem.get()));
    }
  }

  /// Frozen state with the task's own update, built only if an edge reads it (E22).
  private Scope ownView(Task task, TaskRecord record, List<Change> changes) {
    var state = new OwnState(superstepContext, task, changes);
    return name ->
        switch (name) {
          case "state" -> state.channels();
          case "variables" -> variables(record);
          default -> AttemptCall.settling(superstepContext, task, record).get(name);
        };
  }

  private static ObjectValue variables(TaskRecord record) {
    return record.status() instanceof TaskRecord.TaskStatus.Done(var result)
        ? result.variables()
        : ObjectValue.empty();
  }

  private void checkDispatches(List<Activation> activations) {
    var own = new HashSet<String>();
    long outcomes = 0;
    for (var activation : activations) {
      outcomes += DispatchOutcomes.size(activation);
      if (activation instanceof Activation.Sent(var dispatch)
          && (dispatchIds.contains(dispatch.id()) || !own.add(dispatch.id()))) {
        throw new TaskFailedException(
            TaskError.permanent(
                "duplicate_dispatch_id",
                "dispatch id '%s' is used twice in one superstep".formatted(dispatch.id())));
      }
    }
    checkDispatchLimits(own.size());
    checkOutcomes(outcomes);
  }

  /// What the nodes behind will be told of them has to be of a size that they can read (E15, E54).
  private void checkOutcomes(long added) {
    if (added > 0 && outcomeBytes + added > limits.stateBytesMax()) {
      throw new TaskFailedException(
          TaskError.permanent(
              "outcomes_too_large",
              "'outcomes' of the dispatches under a policy would exceed %d bytes"
                  .formatted(limits.stateBytesMax())));
    }
  }

  private void checkDispatchLimits(int added) {
    int inSuperstep = dispatched + added;
    long inRun = superstepContext.at().pending().dispatched() + inSuperstep;
    long runMax =
        Math.min(
            superstepContext.limits().dispatchesMax().orElse(Integer.MAX_VALUE),
            limits.runDispatchesMax());
    if (added > 0 && (inSuperstep > limits.superstepDispatchesMax() || inRun > runMax)) {
      throw new TaskFailedException(
          TaskError.permanent(
              "dispatch_limit_exceeded",
              "%d dispatches in this superstep, %d in the run; allowed are %d and %d"
                  .formatted(inSuperstep, inRun, limits.superstepDispatchesMax(), runMax)));
    }
  }

  private void claimId(Activation activation) {
    if (activation instanceof Activation.Sent(var dispatch)) {
      dispatchIds.add(dispatch.id());
      dispatched++;
      outcomeBytes += DispatchOutcomes.size(activation);
    }
  }

  private SuperstepResult complete(List<Activation> left, Map<Integer, TaskError> preset) {
    var before = superstepContext.at().pending();
    var rest =
        new Pending(
            left,
            before.arrivals(),
            before.ended(),
            before.dispatched() + dispatched,
            Compactions.tried(
                superstepContext.program(), superstepContext.at(), records, fold.state()),
            before.origins(),
            TaskRecord.spending(before.spent(), records));
    var intake =
        Intake.of(
            superstepContext.program().graph().settings().inbox(),
            end,
            records,
            PendingRouting.pending(routes, rest, routing),
            this::hasOpenCalls);
    take(intake, preset);
    var next = intake.pending();
    return new SuperstepResult.Complete(
        fold.state(),
        records,
        next.with(outcomes(before, next, !left.isEmpty())),
        new SuperstepResult.Effects(
            fold.opaque(), List.copyOf(fold.touched()), fold.conflicts(), routing.notTaken));
  }

  /// What is behind one that is too large waits for the next superstep. If there is none, each is
  /// measured, up to a bound, and the rest is refused like the last one of these.
  private void take(Intake intake, Map<Integer, TaskError> preset) {
    boolean isLast = intake.pending().isEnd();
    var refused = 0;
    var refusal = Optional.<TaskError>empty();
    for (var message : intake.messages()) {
      var tooLarge = Optional.ofNullable(preset.get(records.size()));
      refusal = refused >= LARGE_MAX ? refusal : tooLarge;
      take(message, refusal);
      refused += tooLarge.isPresent() ? 1 : 0;
      if (tooLarge.isPresent() && !isLast) {
        break;
      }
    }
  }

  private boolean hasOpenCalls(String channel) {
    return superstepContext.program().graph().channels().get(channel).reducer()
            instanceof Reducer.Messages
        && fold.state().get(channel) instanceof ListValue messages
        && ToolCalls.areOpen(messages);
  }

  /// Folds a message. One that cannot be folded is taken all the same: it says why.
  private void take(InboxMessage message, Optional<TaskError> preset) {
    var refusal =
        preset.or(() ->
            fold.apply(List.of(Intake.change(message)))
                .map(it -> FoldErrors.of(NodeId.INBOX.value(), it)));
    records.add(Intake.record(superstepContext.superstep(), message, refusal));
  }

  /// A join that waits reads them in the superstep behind the one in which it fires.
  private ObjectValue outcomes(Pending before, Pending next, boolean isLeft) {
    boolean waits =
        isLeft
            || DispatchOutcomes.isAwaited(before.outcomes(), next.arrivals().values())
            || DispatchOutcomes.isAwaited(before.outcomes(), before.arrivals().values());
    var earlier = waits ? before.outcomes() : ObjectValue.empty();
    var outcomes = DispatchOutcomes.of(before.activations(), records, earlier);
    return DispatchOutcomes.behind(earlier, outcomes);
  }

  /// The index of the first task that makes the run too large.
  private int crossing(List<TaskRecord> complete) {
    var size = new RunSize(superstepContext);
    for (int i = 0; i < complete.size(); i++) {
      var record = complete.get(i);
      fold.apply(record.changes());
      if (size.with(fold.state(), List.of(record)) > limits.stateBytesMax()) {
        return i;
      }
    }
    throw new IllegalStateException("no task crosses the limit of the state's size");
  }

  public static TaskError tooLarge(EngineLimits limits) {
    return TaskError.permanent(
        "state_too_large",
        "state and prompt context would exceed %d bytes".formatted(limits.stateBytesMax()));
  }

  /// Measures how large a run becomes with the tasks of a superstep: its state and its prompt
  /// context, which checkpoints keep like a channel (P1, E15).
  private static final class RunSize {
    private final SuperstepContext superstepContext;
    private final ContextFold fold;
    private Optional<PromptContext> context;

    RunSize(SuperstepContext superstepContext) {
      this.superstepContext = superstepContext;
      fold = new ContextFold(superstepContext.program().graph(), superstepContext.run().ordinal());
      context = superstepContext.at().context();
    }

    /// @param state with the changes of these tasks and of those before them
    /// @param records the next ones of the superstep, in task order
    long with(GraphState state, List<TaskRecord> records) {
      var limit = superstepContext.program().contexts().history();
      context =
          context.map(
              it -> limit.bound(fold.fold(it, records, superstepContext.at().stamp().at())));
      return Checkpoint.sizeBytes(state, context);
    }
  }
}
