package dev.superstep.checkpoint;

import dev.superstep.engine.CheckpointKind;
import dev.superstep.engine.Commit;
import dev.superstep.engine.Head;
import dev.superstep.engine.TaskRecord;

/// What a commit is for, as far as the store has to know.
final class Purpose {
  private Purpose() {}

  /// Whether the commit may not take place over answers that the driver does not know (E35): it
  /// puts the run to rest or to sleep, or it closes questions. Any other commits a superstep that
  /// asked nothing, and of which there is nothing to be answered.
  static boolean needsAnswers(Commit commit) {
    return holds(commit) || (advances(commit) && hasAsked(commit));
  }

  private static boolean holds(Commit commit) {
    return commit
        .checkpoint()
        .map(it -> it.after().stamp().kind() == CheckpointKind.HELD)
        .orElse(
            switch (commit.head().status()) {
              case WAITING, INTERRUPTED, FAILED -> true;
              case QUEUED, RUNNING, CANCELLING, SUCCEEDED, CANCELLED -> false;
            });
  }

  /// Whether a superstep is committed: recorded outcomes of any of its tasks are part of it.
  static boolean advances(Commit commit) {
    return commit
        .checkpoint()
        .map(it ->
            switch (it.after().stamp().kind()) {
              case STEP, FINAL -> true;
              case INPUT, HELD, UPDATE, FORK -> false;
            })
        .orElse(false);
  }

  /// A request to cancel stops every commit but the one that cancels and the one that succeeds.
  static boolean passesCancel(Head head) {
    return switch (head.status()) {
      case SUCCEEDED, CANCELLED -> true;
      case QUEUED, RUNNING, WAITING, INTERRUPTED, FAILED, CANCELLING -> false;
    };
  }

  /// Whether somebody has to be woken for the run.
  static boolean wakes(Head head) {
    return switch (head.status()) {
      case QUEUED -> true;
      case WAITING, INTERRUPTED, FAILED -> head.wakesAt().isPresent();
      case RUNNING, CANCELLING, SUCCEEDED, CANCELLED -> false;
    };
  }

  /// Whether the commit is no more than one statement: a superstep without questions, and the run
  /// goes on or has succeeded.
  static boolean isPlain(Commit commit) {
    return advances(commit)
        && switch (commit.head().status()) {
          case RUNNING, SUCCEEDED -> true;
          case QUEUED, WAITING, INTERRUPTED, FAILED, CANCELLING, CANCELLED -> false;
        }
        && !hasAsked(commit);
  }

  private static boolean hasAsked(Commit commit) {
    return commit.checkpoint().stream()
        .flatMap(it -> it.delta().tasks().stream())
        .anyMatch(Purpose::hasAsked);
  }

  private static boolean hasAsked(TaskRecord record) {
    return record.interrupts() > 0;
  }
}
