package dev.superstep.node;

import dev.superstep.engine.checkpoint.AskingStep;
import dev.superstep.engine.checkpoint.StepRecord.StepKind;
import dev.superstep.engine.node.NodeCall;
import dev.superstep.engine.node.NodeRunner;
import dev.superstep.engine.node.Outcome;
import dev.superstep.engine.node.StepJournal.JournaledStep;
import dev.superstep.engine.run.NodeResult;
import dev.superstep.engine.run.OpenCallback;
import dev.superstep.engine.run.Resume;
import dev.superstep.engine.run.TaskError;
import dev.superstep.engine.run.WorkerEnd;
import dev.superstep.engine.run.WorkerTask;
import dev.superstep.expression.Expression;
import dev.superstep.state.ValueCheck;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.state.value.Value;
import java.time.Duration;
import java.util.Optional;

/// Asks a worker, waits for it without holding a thread, and checks what it has made (E52).
///
/// @param input empty: the dispatch input, else `{}`
/// @param output what the worker gives must satisfy it
/// @param result over `response`, what the worker gives; empty: that is a node result
/// @param callback with which it ends, in place of what the worker gives
record WorkerNode(
    String type,
    Optional<Expression> input,
    ValueCheck output,
    Optional<ResultTemplate> result,
    NodeTimes times,
    Optional<CallbackWait> callback)
    implements MockableNode {
  /// Below it a worker would do little else, and be lost by any pause.
  private static final Duration HEARTBEAT_MIN = Duration.ofSeconds(1);

  /// @param start empty: a task may wait for a worker without end
  record NodeTimes(Optional<Expression> start, Expression heartbeat) {}

  /// It computes what a worker is to do, and has no effect: that is the engine's.
  @Override
  public boolean pure() {
    return callback.isEmpty();
  }

  /// What it depends on is to be on disk before a worker sees the task.
  @Override
  public boolean beginsRuns() {
    return true;
  }

  @Override
  public Outcome run(NodeCall call) throws InterruptedException {
    if (call.callbackEnd().isPresent()) {
      return CallbackWait.ended(call.callbackEnd().get(), it -> made(call, it));
    }
    var open = open(call);
    return call.workerEnd()
        .map(it ->
            open.isPresent() && it instanceof WorkerEnd.Returned
                ? new Outcome.Callback(open.get())
                : ended(call, it))
        .orElseGet(() -> new Outcome.Worker(task(call)));
  }

  private Optional<OpenCallback> open(NodeCall call) throws InterruptedException {
    return callback.isEmpty() ? Optional.empty() : Optional.of(callback.get().open(call));
  }

  /// The answers of callbacks are read by the driver of the run.
  @Override
  public boolean keepsParts() {
    return callback.isPresent();
  }

  @Override
  public NodeRunner answeredBy(Answers answers) {
    return call -> {
      var _ = open(call);
      input.ifPresent(it -> it.evaluate(call));
      return made(call, answers.of(call));
    };
  }

  private WorkerTask task(NodeCall call) {
    var given = input.map(it -> it.evaluate(call)).orElseGet(() -> call.task().input());
    return new WorkerTask(
        type,
        payload(call, orEmpty(given)),
        call.steps().key(),
        call.attempt(),
        new WorkerTask.Timeouts(
            start(call).map(CallbackWait::bounded),
            withinTotal(call.task().node().policy().timeout(), call).map(CallbackWait::bounded),
            heartbeat(call)));
  }

  private Optional<Duration> start(NodeCall call) {
    return withinTotal(
        times.start().map(it -> CallbackWait.duration("schedule_to_start", it, call)), call);
  }

  /// At most what is left for all attempts.
  private static Optional<Duration> withinTotal(Optional<Duration> own, NodeCall call) {
    var policy = call.task().node().policy();
    if (policy.totalTimeout().isEmpty()) {
      return own;
    }
    var left = call.timeLeft().isPositive() ? call.timeLeft() : Duration.ofMillis(1);
    return Optional.of(own.filter(it -> it.compareTo(left) < 0).orElse(left));
  }

  private static ObjectValue payload(NodeCall call, Value given) {
    var payload = ObjectValue.empty().plus("input", given);
    var resumed = call.resume().map(it -> payload.plus("resume", written(it))).orElse(payload);
    return call.steps().answer().map(it -> AskingStep.answeredIn(resumed, it)).orElse(resumed);
  }

  private static Value orEmpty(Value given) {
    return given instanceof Value.Null ? ObjectValue.empty() : given;
  }

  private static ObjectValue written(Resume resume) {
    return ObjectValue.of("interrupt_id", resume.interruptId()).plus("answer", resume.answer());
  }

  private Duration heartbeat(NodeCall call) {
    var heartbeat = CallbackWait.duration("heartbeat", times.heartbeat(), call);
    return heartbeat.compareTo(HEARTBEAT_MIN) < 0 ? HEARTBEAT_MIN : heartbeat;
  }

  private Outcome ended(NodeCall call, WorkerEnd end) {
    return switch (end) {
      case WorkerEnd.Failed(var error) -> new Outcome.Failed(error);
      case WorkerEnd.Returned(var value) -> made(call, value);
      case WorkerEnd.StepQuestion(var ordinal, var name, var question) ->
          interrupted(
              call, new JournaledStep(ordinal, name, StepKind.ASK, Optional.empty()), question);
    };
  }

  private static Outcome interrupted(NodeCall call, JournaledStep step, Value question) {
    var outcome = NodeResults.parse(ObjectValue.empty().plus("interrupt", question));
    return outcome instanceof Outcome.Interrupted(var request, _)
        ? call.steps().ask(step, request)
        : outcome;
  }

  private Outcome made(NodeCall call, Value value) {
    var wrong = output.check(value);
    if (!wrong.isEmpty()) {
      return new Outcome.Failed(
          TaskError.permanent(
              NodeResults.BAD_RESULT,
              "what the worker gave does not satisfy output_schema: %s"
                  .formatted(ValueCheck.inOneLine(wrong))));
    }
    return result
        .<Outcome>map(it -> new Outcome.Done(it.added(NodeResult.NOTHING, call, value)))
        .orElseGet(() -> NodeResults.parse(value));
  }
}
