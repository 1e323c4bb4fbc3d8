package dev.superstep.langgraph.thread;

import dev.superstep.checkpoint.CheckpointRef;
import dev.superstep.engine.checkpoint.CheckpointKind;
import dev.superstep.run.ThreadCheckpoint;
import dev.superstep.run.ThreadCheckpoint.CheckpointPosition;
import dev.superstep.run.ThreadCheckpointId;
import java.util.List;
import java.util.Optional;

/// A checkpoint as clients see it. The first one of a run with an input is two of theirs: the state
/// before the input, from which a client begins anew when a person edits a message of that input,
/// and the state with it.
///
/// @param beforeInput whether it is the first of these
public record ShownCheckpoint(ThreadCheckpoint stored, boolean beforeInput) {

  /// Newest first.
  static List<ShownCheckpoint> of(ThreadCheckpoint stored) {
    var whole = new ShownCheckpoint(stored, false);
    return stored.kind() == CheckpointKind.INPUT
        ? List.of(whole, new ShownCheckpoint(stored, true))
        : List.of(whole);
  }

  static ShownCheckpoint of(ThreadCheckpoint stored, ThreadCheckpointId id) {
    return new ShownCheckpoint(stored, !id.equals(stored.position().id()));
  }

  public ThreadCheckpointId id() {
    var id = stored.position().id();
    return beforeInput ? id.beforeInput() : id;
  }

  /// Where a run begins that starts from here.
  public CheckpointRef at() {
    var at = stored.position().at();
    return beforeInput ? CheckpointRef.beforeInput(at.run()) : at;
  }

  Optional<ThreadCheckpointId> parent() {
    return stored.kind() == CheckpointKind.INPUT && !beforeInput
        ? Optional.of(stored.position().id().beforeInput())
        : stored.parent().map(CheckpointPosition::id);
  }

  String source() {
    if (beforeInput) {
      return "input";
    }
    return switch (stored.kind()) {
      case UPDATE -> "update";
      case FORK -> stored.edited() ? "update" : "fork";
      case INPUT -> stored.edited() ? "update" : "loop";
      case STEP, FINAL, HELD -> "loop";
    };
  }
}
