package dev.superstep.engine;

import dev.superstep.context.ContextException;
import dev.superstep.context.PromptContext;
import dev.superstep.state.GraphState;
import dev.superstep.state.ObjectValue;
import dev.superstep.state.Value;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// One attempt of one task, as its node sees it.
final class Call implements NodeCall {
  private final Frame frame;
  private final Task task;
  private final GraphState state;
  private final Attempt attempt;
  private @Nullable PromptContext view;
  private @Nullable TaskError failure;

  /// @param number from 1
  /// @param generation answers to the task so far; state edits are added here
  record Attempt(
      int number,
      int generation,
      Optional<Resume> resume,
      Optional<Instant> deadline,
      Woken woken,
      Means means) {
    static final Attempt FIRST = settling(1, 0);

    static Attempt settling(int number, int generation) {
      return new Attempt(
          number, generation, Optional.empty(), Optional.empty(), Woken.NO, Means.NONE);
    }
  }

  /// What the engine lends to a node.
  record Means(Parts parts, Meter meter, Span span, Watchers watchers, Nesting nesting) {
    static final Means NONE =
        new Means(Parts.NONE, Meter.NONE, Span.NONE, Watchers.NONE, Nesting.NONE);
  }

  /// About runs that the task begins.
  ///
  /// @param number of those that it has begun so far
  /// @param end of the last one, if the task was waiting for it
  /// @param timeLeft wall time of the run
  /// @param left what the run may still spend
  record Nesting(int number, Optional<ChildEnd> end, Duration timeLeft, Allowance left) {
    static final Nesting NONE =
        new Nesting(0, Optional.empty(), Duration.ZERO, Allowance.UNLIMITED);
  }

  enum Woken {
    YES,
    NO
  }

  /// @param state frozen state with the task's held changes (E36)
  Call(Frame frame, Task task, GraphState state, Attempt attempt) {
    this.frame = frame;
    this.task = task;
    this.state = state;
    this.attempt = attempt;
  }

  /// What edges see of a task once it has ended: the frozen state, without its update.
  static Call settling(Frame frame, Task task, TaskRecord record) {
    var attempt = Attempt.settling(Math.max(1, record.attempts()), record.generation());
    return new Call(frame, task, frame.at().state(), attempt);
  }

  @Override
  public RunHeader run() {
    return frame.run();
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
    return frame.program().graph().size();
  }

  @Override
  public PromptContext context() {
    var known = view;
    if (known == null) {
      known =
          task.isEngines() // no edge leads to it, so nothing of the context may reach it
              ? PromptContext.EMPTY
              : frame.at().context().map(this::look).orElse(PromptContext.EMPTY);
      view = known;
    }
    return known;
  }

  /// Made when the node first looks, for most never do (P2).
  private PromptContext look(PromptContext whole) {
    try {
      var seen =
          new ContextViews(frame.program().contexts(), frame.at()).view(task.key(), this::get);
      FilteredEvent.of(whole, seen)
          .ifPresent(it ->
              frame
                  .outside()
                  .observer()
                  .observe(frame.run().id(), FilteredEvent.TYPE, task.key(), it));
      return seen.context();
    } catch (ContextException e) {
      failure = TaskError.permanent(e.code(), String.valueOf(e.getMessage()));
      throw new TaskFailedException(failure);
    }
  }

  /// Why the view could not be made, whatever the node has made of that.
  @Nullable TaskError failure() {
    return failure;
  }

  /// @throws TaskFailedException if the node's view lacks something that it requires (P13)
  void requireContext() {
    var contexts = frame.program().contexts();
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
    return Ids.idempotencyKey(
        frame.run().id(), task.key(), attempt.generation() + frame.at().edits());
  }

  @Override
  public Parts parts() {
    return attempt.means().parts();
  }

  @Override
  public Meter meter() {
    return attempt.means().meter();
  }

  @Override
  public Span span() {
    return attempt.means().span();
  }

  @Override
  public Watchers watchers() {
    return attempt.means().watchers();
  }

  @Override
  public Optional<Instant> deadline() {
    return attempt.deadline();
  }

  @Override
  public boolean woken() {
    return attempt.woken() == Woken.YES;
  }

  @Override
  public ChildPlace nextChild() {
    var nesting = attempt.means().nesting();
    int number = nesting.number() + 1;
    return new ChildPlace(
        Ids.child(frame.run().id(), task.key(), number),
        Ids.childOrdinal(frame.run().ordinal(), task.key(), number),
        number,
        nesting.timeLeft(),
        nesting.left());
  }

  @Override
  public Optional<ChildEnd> childEnd() {
    return attempt.means().nesting().end();
  }

  @Override
  public Instant now() {
    return frame.at().stamp().at();
  }

  @Override
  public Instant clock() {
    return frame.clock().instant();
  }

  @Override
  public Value get(String variable) {
    return switch (variable) {
      case "state" -> state.channels();
      case "input" -> task.input();
      case "dispatch" -> dispatch();
      case "resume" -> attempt.resume().<Value>map(Call::object).orElse(Value.NULL);
      case "run" -> runObject();
      case "node" -> Value.of(task.key().node().value());
      case "now" -> Value.of(now().toString());
      case "error" -> error();
      case "template", "variables", "metadata", "history" -> contextPart(variable);
      default -> Value.NULL;
    };
  }

  private Value contextPart(String part) {
    return switch (part) {
      case "template" -> Value.of(context().template());
      case "variables" -> context().variables();
      case "metadata" -> context().metadata();
      default -> context().history();
    };
  }

  /// What an error edge has passed on, as far as the node's view shows it; else null.
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
        : ObjectValue.of("id", Value.of(dispatch.id())).plus("metadata", dispatch.metadata());
  }

  private Value runObject() {
    var run = frame.run();
    return ObjectValue.of("id", Value.of(run.id()))
        .plus("graph", Value.of(run.graph()))
        .plus("version", Value.of(run.version()))
        .plus("superstep", Value.of(task.key().superstep()))
        .plus("attempt", Value.of(attempt.number()))
        .plus("num_vertices", Value.of(numVertices()))
        .plus("metadata", run.metadata());
  }

  private static ObjectValue object(Resume resume) {
    return ObjectValue.of("interrupt_id", Value.of(resume.interruptId()))
        .plus("answer", resume.answer());
  }
}
