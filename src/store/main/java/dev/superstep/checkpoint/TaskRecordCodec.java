package dev.superstep.checkpoint;

import dev.superstep.engine.checkpoint.AskingStep;
import dev.superstep.engine.checkpoint.TaskRecord;
import dev.superstep.engine.checkpoint.TaskRecord.Interrupt;
import dev.superstep.engine.checkpoint.TaskRecord.TaskStatus;
import dev.superstep.engine.checkpoint.TaskRecord.Why;
import dev.superstep.engine.run.Addressees;
import dev.superstep.engine.run.MayAnswer;
import dev.superstep.engine.run.Resume;
import dev.superstep.engine.run.TaskError;
import dev.superstep.engine.run.TaskKey;
import dev.superstep.engine.run.Usage;
import dev.superstep.graph.NodeId;
import dev.superstep.state.value.Value;
import java.time.Instant;
import java.util.Objects;
import java.util.Optional;

/// Writes and reads task records. Their superstep follows from where they are stored.
public final class TaskRecordCodec {
  /// A release that knows no steps would take the answer for one that begins the task anew: it
  /// leaves the run to one that does.
  private static final String ASKS_IN_STEP = "asks_in_step";

  private TaskRecordCodec() {}

  public static Value write(TaskRecord record) {
    var out =
        new ObjectWriter()
            .put("n", record.key().node().value())
            .unlessNull("d", record.key().dispatchId())
            .unless(1, "a", record.attempts())
            .unless(0, "g", record.generation())
            .unless(0, "q", record.interrupts())
            .unlessEmpty("held", record.heldChanges(), ChangeCodec::write)
            .put("s", record.startedAt())
            .put("f", record.finishedAt());
    record
        .questions()
        .answer()
        .ifPresent(it -> out.put("to", it.interruptId()).put("answer", it.answer()));
    if (!record.parts().isEmpty()) {
      out.put("parts", record.parts());
    }
    if (!record.spent().isNothing()) {
      out.put("spent", UsageCodec.write(record.spent()));
    }
    if (!record.spent().cached().isNothing()) {
      out.put("cached", UsageCodec.write(record.spent().cached()));
    }
    write(record, out);
    return out.value();
  }

  public static TaskRecord read(Value value, int superstep) {
    var in = StoredObject.reader(value);
    return new TaskRecord(
        new TaskKey(superstep, new NodeId(in.text("n")), in.textOrNull("d")),
        in.intOr(1, "a"),
        in.intOr(0, "g"),
        new TaskRecord.TaskQuestions(
            in.intOr(0, "q"), in.list("held", ChangeCodec::read), readAnswer(in)),
        readEnding(in),
        in.time("s"),
        in.time("f"),
        new TaskRecord.Left(
            in.objectOrEmpty("parts"),
            in.find("spent")
                .map(it -> UsageCodec.read(it, in.value().get("cached")))
                .orElse(Usage.NOTHING)));
  }

  private static Optional<Resume> readAnswer(ObjectReader in) {
    return in.has("to")
        ? Optional.of(new Resume(in.text("to"), in.get("answer")))
        : Optional.empty();
  }

  private static void write(TaskRecord record, ObjectWriter out) {
    switch (record.status()) {
      case TaskStatus.Done(var result) -> out.put("done", ResultCodec.write(result));
      case TaskStatus.Failed(var error) -> out.put("failed", ErrorCodec.write(error));
      case TaskStatus.Open _ -> out.put("open", Value.TRUE);
      case TaskStatus.Cancelled _ -> out.put("cancelled", Value.TRUE);
      case TaskStatus.Child(var run, _) -> out.put("child", run);
      case TaskStatus.AtWorker(var task, _) -> out.put("worker", task);
      case TaskStatus.Interrupted(var interrupt) ->
          out.put(
              AskingStep.in(record.parts()).isPresent() ? ASKS_IN_STEP : "asks", write(interrupt));
      case TaskStatus.Waiting(var dueAt, var why) -> write(dueAt, why, out);
      case TaskStatus.Rejected(var result, var error) ->
          out.put("rejected", ResultCodec.write(result)).put("error", ErrorCodec.write(error));
      case TaskStatus.Handled(var error, var result) ->
          out.put("handled", ResultCodec.write(result)).put("error", ErrorCodec.write(error));
    }
  }

  /// To a release that knows no turns, one is a retry: its attempt has not been counted.
  private static void write(Instant dueAt, Why why, ObjectWriter out) {
    out.put(why == Why.SLEEP ? "sleep" : "retry", dueAt);
    if (why == Why.TURN) {
      out.put("turn", Value.TRUE);
    }
  }

  private static TaskStatus readEnding(ObjectReader in) {
    if (in.has("done")) {
      return new TaskStatus.Done(ResultCodec.read(in.get("done")));
    }
    if (in.has("open")) {
      return new TaskStatus.Open();
    }
    if (in.has("child")) {
      return new TaskStatus.Child(in.text("child"), Optional.empty());
    }
    if (in.has("worker")) {
      return new TaskStatus.AtWorker(in.text("worker"), Optional.empty());
    }
    if (in.has("failed")) {
      return new TaskStatus.Failed(ErrorCodec.readTask(in.get("failed")));
    }
    if (in.has(ASKS_IN_STEP)) {
      return new TaskStatus.Interrupted(readInterrupt(in.reader(ASKS_IN_STEP)));
    }
    if (in.has("asks")) {
      return new TaskStatus.Interrupted(readInterrupt(in.reader("asks")));
    }
    if (in.has("retry") || in.has("sleep")) {
      return readWaiting(in);
    }
    return readHandled(in);
  }

  /// A result that could not be used, a failure that the graph takes care of, or neither.
  private static TaskStatus readHandled(ObjectReader in) {
    if (in.has("cancelled")) {
      return new TaskStatus.Cancelled();
    }
    if (in.has("rejected")) {
      return new TaskStatus.Rejected(ResultCodec.read(in.get("rejected")), error(in));
    }
    if (in.has("handled")) {
      return new TaskStatus.Handled(error(in), ResultCodec.read(in.get("handled")));
    }
    throw StoredForm.newer("the outcome of a task");
  }

  private static TaskStatus readWaiting(ObjectReader in) {
    if (in.has("sleep")) {
      return new TaskStatus.Waiting(in.time("sleep"), Why.SLEEP);
    }
    return new TaskStatus.Waiting(in.time("retry"), in.has("turn") ? Why.TURN : Why.RETRY);
  }

  private static TaskError error(ObjectReader in) {
    return ErrorCodec.readTask(in.get("error"));
  }

  private static Value write(Interrupt interrupt) {
    var out =
        new ObjectWriter()
            .put("id", interrupt.id())
            .put("reason", interrupt.reason())
            .put("payload", interrupt.payload())
            .put("schema", interrupt.schema())
            .put("at", interrupt.createdAt())
            .put("default", interrupt.defaultAnswer());
    interrupt.expiresAt().ifPresent(it -> out.put("until", it));
    if (interrupt.mayAnswer() != MayAnswer.ANYBODY) {
      out.put("by", interrupt.mayAnswer().text());
    }
    if (!interrupt.addressees().isNone()) {
      out.put("for", interrupt.addressees().value());
    }
    return out.value();
  }

  private static Interrupt readInterrupt(ObjectReader in) {
    return new Interrupt(
        in.text("id"),
        in.text("reason"),
        in.get("payload"),
        in.find("schema"),
        in.time("at"),
        in.findTime("until"),
        in.find("default"),
        MayAnswer.find(Objects.requireNonNullElse(in.textOrNull("by"), "anybody"))
            .orElseThrow(() -> StoredForm.newer("a question")),
        in.has("for") ? Addressees.of(in.objectOrEmpty("for")) : Addressees.NONE);
  }

  /// A task within its superstep: `node` or `node:dispatch`; no node id holds a colon.
  public static String key(TaskKey key) {
    return key.dispatchId() == null
        ? key.node().value()
        : key.node().value() + ":" + key.dispatchId();
  }
}
