package dev.superstep.checkpoint;

import dev.superstep.context.PromptContext;
import dev.superstep.engine.checkpoint.Checkpoint;
import dev.superstep.engine.checkpoint.CheckpointKind;
import dev.superstep.engine.checkpoint.Pending;
import dev.superstep.engine.checkpoint.TaskRecord;
import dev.superstep.engine.run.TaskKey;
import dev.superstep.state.GraphState;
import dev.superstep.state.value.ListValue;
import dev.superstep.state.value.Value;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/// Everything about a checkpoint that its own delta does not hold, so that no older row is needed
/// to replay it.
///
/// @param pending only if the delta has none
public record Snapshot(
    GraphState state,
    Optional<PromptContext> context,
    Map<TaskKey, TaskRecord> held,
    Optional<Pending> pending) {
  public static Snapshot of(Checkpoint checkpoint) {
    var held = checkpoint.stamp().kind() == CheckpointKind.HELD;
    return new Snapshot(
        checkpoint.state(),
        checkpoint.context(),
        checkpoint.held(),
        held ? Optional.of(checkpoint.pending()) : Optional.empty());
  }

  public byte[] bytes() {
    var records =
        held.values().stream()
            .sorted(Comparator.comparing(it -> it.key().toString()))
            .map(TaskRecordCodec::write)
            .toList();
    return StoredObject.bytes(
        new ObjectWriter()
            .put("v", StoredForm.WRITTEN)
            .put("s", state.channels())
            .put("c", context.map(Snapshot::write))
            .unlessEmpty("h", records, it -> it)
            .put("p", pending.map(PendingCodec::write))
            .value());
  }

  /// @param tasks the superstep of the held records
  public static Snapshot read(byte[] bytes, int tasks) {
    var in = StoredObject.packed(() -> Compression.unpack(bytes)).form("a checkpoint");
    var held = new HashMap<TaskKey, TaskRecord>();
    in.list("h", it -> TaskRecordCodec.read(it, tasks)).forEach(it -> held.put(it.key(), it));
    return new Snapshot(
        GraphState.of(in.objectOrEmpty("s")),
        in.find("c").map(Snapshot::readContext),
        held,
        in.find("p").map(PendingCodec::read));
  }

  static Value write(PromptContext context) {
    return new ObjectWriter()
        .put("template", context.template())
        .unlessEmpty("variables", context.variables())
        .put("history", context.history())
        .put("times", context.times())
        .unlessEmpty("metadata", context.metadata())
        .value();
  }

  static PromptContext readContext(Value value) {
    var in = StoredObject.reader(value);
    return new PromptContext(
        in.text("template"),
        in.objectOrEmpty("variables"),
        ListValue.of(in.list("history", it -> it)),
        ListValue.of(in.list("times", it -> it)),
        in.objectOrEmpty("metadata"));
  }
}
