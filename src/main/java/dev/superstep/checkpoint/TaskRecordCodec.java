package dev.superstep.checkpoint;

import dev.superstep.engine.Resume;
import dev.superstep.engine.TaskError;
import dev.superstep.engine.TaskKey;
import dev.superstep.engine.TaskRecord;
import dev.superstep.engine.TaskRecord.Ending;
import dev.superstep.engine.TaskRecord.Interrupt;
import dev.superstep.engine.TaskRecord.Why;
import dev.superstep.engine.Usage;
import dev.superstep.graph.NodeId;
import dev.superstep.state.Value;
import java.util.Optional;

/// Task records in stored form. Their superstep is known from where they are kept.
final class TaskRecordCodec {
  private TaskRecordCodec() {}

  static Value write(TaskRecord record) {
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
        .asked()
        .answer()
        .ifPresent(it -> out.put("to", it.interruptId()).put("answer", it.answer()));
    if (!record.parts().isEmpty()) {
      out.put("parts", record.parts());
    }
    if (!record.spent().isNothing()) {
      out.put("spent", UsageCodec.write(record.spent()));
    }
    write(record.ending(), out);
    return out.value();
  }

  static TaskRecord read(Value value, int superstep) {
    var in = Stored.reader(value);
    return new TaskRecord(
        new TaskKey(superstep, new NodeId(in.text("n")), in.textOrNull("d")),
        in.intOr(1, "a"),
        in.intOr(0, "g"),
        new TaskRecord.Asked(in.intOr(0, "q"), in.list("held", ChangeCodec::read), readAnswer(in)),
        readEnding(in),
        in.time("s"),
        in.time("f"),
        new TaskRecord.Left(
            in.objectOrEmpty("parts"),
            in.find("spent").map(UsageCodec::read).orElse(Usage.NOTHING)));
  }

  private static Optional<Resume> readAnswer(ObjectReader in) {
    return in.has("to")
        ? Optional.of(new Resume(in.text("to"), in.get("answer")))
        : Optional.empty();
  }

  private static void write(Ending ending, ObjectWriter out) {
    switch (ending) {
      case Ending.Done(var result) -> out.put("done", ResultCodec.write(result));
      case Ending.Failed(var error) -> out.put("failed", ErrorCodec.write(error));
      case Ending.Open _ -> out.put("open", Value.TRUE);
      case Ending.Child(var run, _) -> out.put("child", run);
      case Ending.Interrupted(var interrupt) -> out.put("asks", write(interrupt));
      case Ending.Waiting(var dueAt, var why) ->
          out.put(why == Why.RETRY ? "retry" : "sleep", dueAt);
      case Ending.Rejected(var result, var error) ->
          out.put("rejected", ResultCodec.write(result)).put("error", ErrorCodec.write(error));
      case Ending.Handled(var error, var result) ->
          out.put("handled", ResultCodec.write(result)).put("error", ErrorCodec.write(error));
    }
  }

  private static Ending readEnding(ObjectReader in) {
    if (in.has("done")) {
      return new Ending.Done(ResultCodec.read(in.get("done")));
    }
    if (in.has("open")) {
      return new Ending.Open();
    }
    if (in.has("child")) {
      return new Ending.Child(in.text("child"), Optional.empty());
    }
    if (in.has("failed")) {
      return new Ending.Failed(ErrorCodec.readTask(in.get("failed")));
    }
    if (in.has("asks")) {
      return new Ending.Interrupted(readInterrupt(in.reader("asks")));
    }
    if (in.has("retry")) {
      return new Ending.Waiting(in.time("retry"), Why.RETRY);
    }
    if (in.has("sleep")) {
      return new Ending.Waiting(in.time("sleep"), Why.SLEEP);
    }
    if (in.has("rejected")) {
      return new Ending.Rejected(ResultCodec.read(in.get("rejected")), error(in));
    }
    if (in.has("handled")) {
      return new Ending.Handled(error(in), ResultCodec.read(in.get("handled")));
    }
    throw StoredForm.newer("the outcome of a task");
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
        in.find("default"));
  }

  /// A task within its superstep: `node` or `node:dispatch`; no node id holds a colon.
  static String key(TaskKey key) {
    return key.dispatchId() == null
        ? key.node().value()
        : key.node().value() + ":" + key.dispatchId();
  }
}
