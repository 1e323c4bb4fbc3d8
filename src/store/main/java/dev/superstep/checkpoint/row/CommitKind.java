package dev.superstep.checkpoint.row;

import dev.superstep.engine.checkpoint.CheckpointKind;
import dev.superstep.engine.checkpoint.Commit;
import dev.superstep.engine.run.RunHead;
import dev.superstep.engine.run.RunStatus;

/// Classifies commits for the store.
final class CommitKind {
  private CommitKind() {}

  /// Whether the commit may not take place over answers or messages that the driver does not know
  /// (E35, E49): it puts the run to rest or to sleep, it closes questions, or it is the last. Any
  /// other commits a superstep without questions, so without answers, and the next one takes the
  /// messages.
  public static boolean needsAnswers(Commit commit) {
    return holds(commit) || (commit.advances() && commit.hasAsked()) || isLast(commit);
  }

  private static boolean isLast(Commit commit) {
    return commit.head().status() == RunStatus.SUCCEEDED;
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

  /// A request to cancel stops every commit except the one that cancels and the one that succeeds.
  public static boolean passesCancel(RunHead runHead) {
    return switch (runHead.status()) {
      case SUCCEEDED, CANCELLED -> true;
      case QUEUED, RUNNING, WAITING, INTERRUPTED, FAILED, CANCELLING -> false;
    };
  }

  /// A request to pause stops every commit behind which the run would go on by itself.
  public static boolean passesPause(Commit commit) {
    return switch (commit.head().status()) {
      case SUCCEEDED, CANCELLED, FAILED, QUEUED -> true;
      case RUNNING -> commit.passesPause();
      case WAITING, CANCELLING -> false;
      case INTERRUPTED -> pauses(commit.head());
    };
  }

  /// Whether the commit pauses the run: only if that is asked for.
  public static boolean pauses(RunHead runHead) {
    return runHead.breakpoint().filter(RunHead.Breakpoint::isPause).isPresent();
  }

  /// Whether the run needs a wake-up.
  public static boolean wakes(RunHead runHead) {
    return switch (runHead.status()) {
      case QUEUED -> true;
      case WAITING, INTERRUPTED, FAILED -> runHead.wakesAt().isPresent();
      case RUNNING, CANCELLING, SUCCEEDED, CANCELLED -> false;
    };
  }
}
