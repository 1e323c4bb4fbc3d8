package dev.superstep.langgraph.run;

import dev.superstep.checkpoint.CheckpointRef;
import dev.superstep.engine.checkpoint.CheckpointKind;
import dev.superstep.engine.run.TaskKey;
import dev.superstep.langgraph.thread.ThreadStates;
import dev.superstep.run.CheckpointSummary;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.state.value.Value;
import java.io.IOException;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/// Writes the checkpoints of one run of a thread as its history shows them.
final class CheckpointFrames {
  private final StreamedRun run;
  private final ThreadStates states;
  private final Emitter emitter;
  private Instant at = Instant.EPOCH;
  private OptionalLong stepsBefore = OptionalLong.empty();

  CheckpointFrames(StreamedRun run, ThreadStates states, Emitter emitter) {
    this.run = run;
    this.states = states;
    this.emitter = emitter;
  }

  /// What follows happens at this time.
  void now(Instant time) {
    at = time;
  }

  /// The one with which a run begins: of an input, the state before it as well.
  void first(CheckpointSummary checkpoint) throws IOException {
    write(checkpoint, checkpoint.kind() == CheckpointKind.INPUT ? 2 : 1);
  }

  void at(CheckpointSummary checkpoint) throws IOException {
    write(checkpoint, 1);
  }

  private void write(CheckpointSummary checkpoint, int count) throws IOException {
    var all = read(checkpoint);
    var found = all.subList(Math.max(0, all.size() - count), all.size());
    for (int i = 0; i < count; i++) {
      var state = i < found.size() ? Optional.of(found.get(i)) : Optional.<ObjectValue>empty();
      emitter.emit(StreamMode.CHECKPOINTS, "checkpoints", () -> state.map(this::written));
      emitter.emit(StreamMode.DEBUG, "debug", () -> state.map(this::debug));
    }
  }

  private List<ObjectValue> read(CheckpointSummary checkpoint) {
    boolean wanted = emitter.wants(StreamMode.CHECKPOINTS) || emitter.wants(StreamMode.DEBUG);
    return wanted
        ? states.of(run.thread(), new CheckpointRef(run.run(), checkpoint.number()))
        : List.of();
  }

  private static long step(ObjectValue state) {
    return state.get("metadata") instanceof ObjectValue metadata
            && metadata.get("step") instanceof Value.Int(var step)
        ? step
        : 0;
  }

  private ObjectValue written(ObjectValue state) {
    return state
        .plus("config", configuration(state.getOr("checkpoint", Value.NULL)))
        .plus("parent_config", configuration(state.getOr("parent_checkpoint", Value.NULL)));
  }

  private static Value configuration(Value checkpoint) {
    return checkpoint instanceof ObjectValue
        ? ObjectValue.of("configurable", checkpoint)
        : Value.NULL;
  }

  private ObjectValue debug(ObjectValue state) {
    return debug("checkpoint", step(state), written(state));
  }

  /// What debuggers are told of a task.
  ObjectValue of(String type, TaskKey task, ObjectValue payload) {
    return debug(type, stepsBefore() + task.superstep(), payload);
  }

  private long stepsBefore() {
    if (stepsBefore.isEmpty()) {
      stepsBefore = OptionalLong.of(states.stepsBefore(run.thread(), run.run()));
    }
    return stepsBefore.getAsLong();
  }

  private ObjectValue debug(String type, long step, ObjectValue payload) {
    return ObjectValue.builder()
        .put("step", Value.of(step))
        .put("timestamp", Value.of(at.toString()))
        .put("type", Value.of(type))
        .put("payload", payload)
        .build();
  }
}
