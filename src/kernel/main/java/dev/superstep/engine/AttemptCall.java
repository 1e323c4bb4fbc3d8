package dev.superstep.engine;

import dev.superstep.context.ContextException;
import dev.superstep.context.PromptContext;
import dev.superstep.engine.checkpoint.CallbackRef.KeptCallback;
import dev.superstep.engine.checkpoint.ChildStart;
import dev.superstep.engine.checkpoint.DispatchOutcomes;
import dev.superstep.engine.checkpoint.TaskRecord;
import dev.superstep.engine.node.ChildPlace;
import dev.superstep.engine.node.ChildRequest;
import dev.superstep.engine.node.LiveEventSink;
import dev.superstep.engine.node.NodeCall;
import dev.superstep.engine.node.SideEffects;
import dev.superstep.engine.node.Span;
import dev.superstep.engine.node.StepJournal;
import dev.superstep.engine.run.Allowance;
import dev.superstep.engine.run.CallbackRequest;
import dev.superstep.engine.run.ChildEnd;
import dev.superstep.engine.run.Ids;
import dev.superstep.engine.run.OpenCallback;
import dev.superstep.engine.run.Resume;
import dev.superstep.engine.run.RunHeader;
import dev.superstep.engine.run.Task;
import dev.superstep.engine.run.TaskError;
import dev.superstep.engine.run.TaskFailedException;
import dev.superstep.engine.run.UsageMeter;
import dev.superstep.engine.run.WorkerEnd;
import dev.superstep.state.GraphState;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.state.value.Value;
import dev.superstep.tenant.Tenant;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// One attempt of one task, as its node sees it.
final class AttemptCall implements NodeCall {
  private final SuperstepContext superstepContext;
  private final Task task;
  private final GraphState state;
  private final Attempt attempt;
  private @Nullable PromptContext view;
  private @Nullable TaskError failure;
  private @Nullable OpenCallback callback;

  /// @param number from 1
  /// @param generation answers to the task so far; state edits are added here
  public record Attempt(
      int number,
      int generation,
      Optional<Resume> resume,
      Optional<Instant> deadline,
      Woken woken,
      Means means) {
    public static final Attempt FIRST = settling(1, 0);

    static Attempt settling(int number, int generation) {
      return new Attempt(
          number, generation, Optional.empty(), Optional.empty(), Woken.NO, Means.NONE);
    }
  }

  /// The services that the engine offers to a node.
  public record Means(
      SideEffects sideEffects,
      Supplier<StepJournal> steps,
      UsageMeter usageMeter,
      Span span,
      LiveEventSink eventSink,
      Nesting nesting,
      CallbackOpener callbacks) {
    public static final Means NONE =
        new Means(
            SideEffects.NONE,
            () -> StepJournal.NONE,
            UsageMeter.NONE,
            Span.NONE,
            LiveEventSink.NONE,
            Nesting.NONE,
            _ -> {
              throw new IllegalStateException("this call opens no callbacks");
            });
  }

  /// Opens callbacks of the task (E51).
  @FunctionalInterface
  interface CallbackOpener {
    OpenCallback open(CallbackRequest request) throws InterruptedException;

    /// @return false if it has an answer
    default boolean withdraw() throws InterruptedException {
      return true;
    }
  }

  /// Child runs of the task, and workers for whom it waits.
  ///
  /// @param number of runs that it has begun so far
  /// @param end of the last one, if the task was waiting for it
  /// @param worker the end of the worker, if the task was waiting for one
  /// @param callback the end of the callback, if the task was waiting for one
  /// @param answered that callback
  /// @param timeLeft wall time of the run
  /// @param left what the run may still spend
  public record Nesting(
      int number,
      Optional<ChildEnd> end,
      Optional<WorkerEnd> worker,
      Optional<WorkerEnd> callback,
      Optional<KeptCallback> answered,
      Duration timeLeft,
      Allowance left) {
    static final Nesting NONE =
        new Nesting(
            0,
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            Duration.ZERO,
            Allowance.UNLIMITED);
  }

  public enum Woken {
    YES,
    NO
  }

  /// @param state frozen state with the task's held changes (E36)
  public AttemptCall(
      SuperstepContext superstepContext, Task task, GraphState state, Attempt attempt) {
    this.superstepContext = superstepContext;
    this.task = task;
    this.state = state;
    this.attempt = attempt;
  }

  /// What edges see of a task once it has ended: the frozen state, without its update.
  public static AttemptCall settling(
      SuperstepContext superstepContext, Task task, TaskRecord record) {
    var attempt = Attempt.settling(Math.max(1, record.attempts()), record.generation());
    return new AttemptCall(superstepContext, task, superstepContext.at().state(), attempt);
  }

  @Override
  public RunHeader run() {
    return superstepContext.run();
  }

  @Override
  public Task task() {
    return task;
  }

  @Override
  public GraphState state() {
    return state;
  }

  @Override
  public int numVertices() {
    return superstepContext.program().graph().size();
  }

  @Override
  public PromptContext context() {
    var known = view;
    if (known == null) {
      known =
          task.isEngines() // no edge leads to it, so nothing of the context may reach it
              ? PromptContext.EMPTY
              : superstepContext.at().context().map(this::makeView).orElse(PromptContext.EMPTY);
      view = known;
    }
    return known;
  }

  /// Made on first use, because most nodes never use it (P2).
  private PromptContext makeView(PromptContext whole) {
    try {
      var seen =
          new ContextViews(superstepContext.program().contexts(), superstepContext.at())
              .view(task.key(), this::get);
      FilteredEvent.of(whole, seen)
          .ifPresent(it ->
              superstepContext
                  .environment()
                  .observer()
                  .observe(superstepContext.run().id(), FilteredEvent.TYPE, task.key(), it));
      return seen.context();
    } catch (ContextException e) {
      failure = TaskError.permanent(e.code(), String.valueOf(e.getMessage()));
      throw new TaskFailedException(failure);
    }
  }

  /// Why the view could not be made, even if the node ignored that.
  public @Nullable TaskError failure() {
    return failure;
  }

  /// @throws TaskFailedException if the node's view lacks something that it requires (P13)
  public void requireContext() {
    var contexts = superstepContext.program().contexts();
    var node = task.key().node();
    if (contexts.requires(node)) {
      var missing = ContextViews.texts(contexts.node(node).unmet(context()));
      if (!missing.isEmpty()) {
        throw new TaskFailedException(
            TaskError.permanent(
                    ContextViews.INCOMPATIBLE,
                    "nothing that the node requires as %s reaches it; see %s"
                        .formatted(
                            missing, "GET /v1/runs/{id}/checkpoints/{n}/context?node=" + node))
                .with("missing", missing));
      }
    }
  }

  @Override
  public Optional<Resume> resume() {
    return attempt.resume();
  }

  @Override
  public int attempt() {
    return attempt.number();
  }

  @Override
  public String idempotencyKey() {
    var at = superstepContext.at();
    return run()
        .birthId()
        .idempotencyKey(task.key(), attempt.generation() + at.edits(), at.stamp().era());
  }

  @Override
  public String messageId() {
    return Ids.answer(superstepContext.run().ordinal(), task.key(), attempt.generation());
  }

  @Override
  public SideEffects parts() {
    return attempt.means().sideEffects();
  }

  @Override
  public StepJournal steps() {
    return attempt.means().steps().get();
  }

  @Override
  public UsageMeter meter() {
    return attempt.means().usageMeter();
  }

  @Override
  public Span span() {
    return attempt.means().span();
  }

  @Override
  public LiveEventSink watchers() {
    return attempt.means().eventSink();
  }

  @Override
  public Optional<Instant> deadline() {
    return attempt.deadline().map(it -> it.plus(attempt.means().sideEffects().waited()));
  }

  @Override
  public boolean woken() {
    return attempt.woken() == Woken.YES;
  }

  @Override
  public Duration timeLeft() {
    return attempt.means().nesting().timeLeft();
  }

  @Override
  public ChildPlace nextChild() {
    var nesting = attempt.means().nesting();
    int number = nesting.number() + 1;
    return new ChildPlace(
        run().birthId().child(task.key(), number),
        Ids.childOrdinal(superstepContext.run().ordinal(), task.key(), number),
        number,
        nesting.timeLeft(),
        nesting.left());
  }

  @Override
  public Optional<ChildStart> prepareChild(ChildRequest request) {
    return superstepContext.environment().children().prepare(this, request);
  }

  @Override
  public Optional<ChildEnd> childEnd() {
    return attempt.means().nesting().end();
  }

  @Override
  public Optional<WorkerEnd> workerEnd() {
    return attempt.means().nesting().worker();
  }

  @Override
  public OpenCallback openCallback(CallbackRequest request) throws InterruptedException {
    var known = callback;
    if (known == null) {
      known = attempt.means().callbacks().open(request);
      callback = known;
    }
    return known;
  }

  @Override
  public boolean withdrawCallback() throws InterruptedException {
    boolean withdrawn = attempt.means().callbacks().withdraw();
    if (withdrawn) {
      callback = null;
    }
    return withdrawn;
  }

  @Override
  public Optional<WorkerEnd> callbackEnd() {
    return attempt.means().nesting().callback();
  }

  @Override
  public Instant now() {
    return superstepContext.at().stamp().at();
  }

  @Override
  public Instant clock() {
    return superstepContext.clock().instant();
  }

  @Override
  public Value get(String variable) {
    return switch (variable) {
      case "state" -> state.channels();
      case "input" -> task.input();
      case "dispatch" -> dispatch();
      case "outcomes" -> DispatchOutcomes.shown(superstepContext.at().pending().outcomes());
      case "resume" -> attempt.resume().<Value>map(AttemptCall::object).orElse(Value.NULL);
      case "run" -> runObject();
      case "params" -> superstepContext.run().params();
      case "node" -> Value.of(task.key().node().value());
      case "uuid" -> Value.of(superstepContext.run().birthId().uuid(task.key()));
      case "now" -> Value.of(now().toString());
      case "error" -> error();
      case "callback" -> callback();
      case "template", "variables", "metadata", "history" -> contextPart(variable);
      default -> Value.NULL;
    };
  }

  /// The one that is open, else the one that has ended.
  private Value callback() {
    return Optional.ofNullable(callback)
        .or(() ->
            attempt
                .means()
                .nesting()
                .answered()
                .map(it -> it.of(run().birthId(), task.key(), superstepContext.at().stamp().era())))
        .<Value>map(OpenCallback::shown)
        .orElse(Value.NULL);
  }

  private Value contextPart(String part) {
    return switch (part) {
      case "template" -> Value.of(context().template());
      case "variables" -> context().variables();
      case "metadata" -> context().metadata();
      default -> context().history();
    };
  }

  /// The error that an error edge has passed on, as far as the node's view shows it; else null.
  private Value error() {
    var error = ObjectValue.empty();
    for (var variable : context().variables().asMap().entrySet()) {
      if (variable.getKey().startsWith(TaskError.VARIABLES)) {
        error =
            error.plus(
                variable.getKey().substring(TaskError.VARIABLES.length()), variable.getValue());
      }
    }
    return error.isEmpty() ? Value.NULL : error;
  }

  private Value dispatch() {
    var dispatch = task.dispatch();
    return dispatch == null
        ? Value.NULL
        : ObjectValue.of("id", dispatch.id()).plus("metadata", dispatch.metadata());
  }

  private Value runObject() {
    var run = superstepContext.run();
    return ObjectValue.of("id", Tenant.shown(run.id()))
        .plus("graph", Tenant.shown(run.graph()))
        .plus("version", run.version())
        .plus("superstep", task.key().superstep())
        .plus("attempt", attempt.number())
        .plus("num_vertices", numVertices())
        .plus("metadata", run.metadata());
  }

  private static ObjectValue object(Resume resume) {
    return ObjectValue.of("interrupt_id", resume.interruptId()).plus("answer", resume.answer());
  }
}
