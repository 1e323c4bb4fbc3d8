package dev.superstep.langgraph.run;

import dev.superstep.checkpoint.CheckpointRef;
import dev.superstep.engine.checkpoint.CheckpointKind;
import dev.superstep.engine.run.TaskKey;
import dev.superstep.langgraph.run.StreamPart.CheckpointPayload;
import dev.superstep.langgraph.run.StreamPart.DebugPayload;
import dev.superstep.langgraph.thread.StateSnapshot;
import dev.superstep.langgraph.thread.ThreadStates;
import dev.superstep.run.CheckpointSummary;
import java.io.IOException;
import java.time.Instant;
import java.util.List;
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
      var state = found.stream().skip(i).findFirst();
      emitter.emitAny(StreamMode.CHECKPOINTS, () -> state.map(CheckpointPayload::new));
      emitter.emitAny(StreamMode.DEBUG, () -> state.map(this::debug));
    }
  }

  private List<StateSnapshot> read(CheckpointSummary checkpoint) {
    boolean wanted = emitter.wants(StreamMode.CHECKPOINTS) || emitter.wants(StreamMode.DEBUG);
    return wanted
        ? states.of(run.thread(), new CheckpointRef(run.run(), checkpoint.number()))
        : List.of();
  }

  private DebugPayload debug(StateSnapshot state) {
    return new DebugPayload("checkpoint", state.head().step(), at, new CheckpointPayload(state));
  }

  /// What debuggers read of a task.
  DebugPayload of(String type, TaskKey task, StreamPart payload) {
    if (stepsBefore.isEmpty()) {
      stepsBefore = OptionalLong.of(states.stepsBefore(run.thread(), run.run()));
    }
    return new DebugPayload(type, stepsBefore.getAsLong() + task.superstep(), at, payload);
  }
}
