package dev.superstep.engine;

import dev.superstep.context.PromptContext;
import dev.superstep.state.GraphState;
import dev.superstep.state.ObjectValue;
import dev.superstep.state.Value;
import java.time.Instant;
import java.util.Optional;

/// One attempt of one task, as its node sees it.
final class Call implements NodeCall {
  private final Frame frame;
  private final Task task;
  private final GraphState state;
  private final Attempt attempt;

  /// @param number from 1
  /// @param generation answers to the task so far; state edits are added here
  record Attempt(
      int number,
      int generation,
      Optional<Resume> resume,
      Optional<Instant> deadline,
      Woken woken) {
    static final Attempt FIRST = new Attempt(1, 0, Optional.empty(), Optional.empty(), Woken.NO);
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
    var attempt =
        new Attempt(
            Math.max(1, record.attempts()),
            record.generation(),
            Optional.empty(),
            Optional.empty(),
            Woken.NO);
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
  public PromptContext context() {
    return frame.at().context().orElse(PromptContext.EMPTY);
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
  public Optional<Instant> deadline() {
    return attempt.deadline();
  }

  @Override
  public boolean woken() {
    return attempt.woken() == Woken.YES;
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
        .plus("metadata", run.metadata());
  }

  private static ObjectValue object(Resume resume) {
    return ObjectValue.of("interrupt_id", Value.of(resume.interruptId()))
        .plus("answer", resume.answer());
  }
}
