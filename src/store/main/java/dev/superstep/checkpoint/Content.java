package dev.superstep.checkpoint;

import dev.superstep.engine.checkpoint.CheckpointKind;
import dev.superstep.engine.checkpoint.Commit;
import dev.superstep.engine.checkpoint.Pending;
import dev.superstep.engine.checkpoint.TaskRecord;
import dev.superstep.engine.checkpoint.TaskRecord.TaskStatus;
import dev.superstep.state.Change;
import dev.superstep.state.value.ListValue;
import dev.superstep.state.value.Value;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// What every checkpoint row stores (E44, E45): the delta and what is pending after it.
///
/// @param pending empty for `held`, which leaves it as it was
/// @param edits see [Checkpoint#edits]
public record Content(Commit.Delta delta, Optional<Pending> pending, int edits) {
  public static Content of(Commit.Write write) {
    var after = write.after();
    var held = after.stamp().kind() == CheckpointKind.HELD;
    return new Content(
        write.delta(), held ? Optional.empty() : Optional.of(after.pending()), after.edits());
  }

  /// The superstep whose tasks a checkpoint stores: the one it commits, or the one it holds.
  static int tasksOf(CheckpointKind kind, int superstep) {
    return switch (kind) {
      case STEP, FINAL -> superstep;
      case HELD, INPUT, UPDATE, FORK -> superstep + 1;
    };
  }

  public byte[] bytes() {
    var committed = pending.isPresent();
    var out =
        new ObjectWriter()
            .put(
                "v",
                TaskRecord.haveMessages(delta.tasks())
                    ? StoredForm.WITH_MESSAGES
                    : StoredForm.WRITTEN)
            .unlessEmpty("t", delta.tasks(), it -> TaskRecordCodec.write(lean(it, committed)))
            .put("e", delta.edit().map(ChangeCodec::write))
            .put("p", pending.map(PendingCodec::write))
            .unless(0, "u", edits)
            .unless(0, "hd", delta.context().dropped())
            .put("c", delta.context().edited().map(Snapshot::write));
    if (!delta.opaque().isEmpty()) {
      out.put("o", opaque());
    }
    return StoredObject.bytes(out.value());
  }

  public static Content read(byte[] bytes, CheckpointKind kind, int superstep) {
    var in = StoredObject.object(bytes).form("a checkpoint");
    int tasks = tasksOf(kind, superstep);
    return new Content(
        new Commit.Delta(
            in.list("t", it -> TaskRecordCodec.read(it, tasks)),
            in.find("e").map(ChangeCodec::read),
            in.find("o").map(Content::readOpaque).orElse(Map.of()),
            new Commit.ContextDelta(in.find("c").map(Snapshot::readContext), in.intOr(0, "hd"))),
        in.find("p").map(PendingCodec::read),
        in.intOr(0, "u"));
  }

  /// A committed task without its dispatches, which are among the pending activations of the row,
  /// with their ids, and without its events, which are in the log.
  private static TaskRecord lean(TaskRecord record, boolean committed) {
    if (!committed
        || !(record.status() instanceof TaskStatus.Done(var result))
        || result.committed().equals(result)) {
      return record;
    }
    return new TaskRecord(
        record.key(),
        record.attempts(),
        record.generation(),
        record.questions(),
        new TaskStatus.Done(result.committed()),
        record.startedAt(),
        record.finishedAt(),
        record.left());
  }

  /// Channel → `[value]`, or `[]` if it was removed.
  private Value opaque() {
    var out = new ObjectWriter();
    delta
        .opaque()
        .forEach((channel, value) ->
            out.put(channel, value.map(ListValue::of).orElse(ListValue.empty())));
    return out.value();
  }

  private static Map<String, Optional<Value>> readOpaque(Value value) {
    var in = StoredObject.reader(value);
    var opaque = new HashMap<String, Optional<Value>>();
    in.value()
        .asMap()
        .keySet()
        .forEach(it -> opaque.put(it, in.list(it, item -> item).stream().findFirst()));
    return opaque;
  }

  /// The edit of an input, update or fork.
  public List<Change> edit() {
    return delta.edit().map(List::of).orElse(List.of());
  }
}
