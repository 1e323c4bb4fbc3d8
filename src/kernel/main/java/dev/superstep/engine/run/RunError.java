package dev.superstep.engine.run;

import java.util.Optional;

/// Why a run failed: its first failed task in task order, or a limit of the run itself.
///
/// @param task the task, if one failed
/// @param attempt the last attempt of that task; 0 if no task failed
public record RunError(TaskError error, Optional<TaskKey> task, int attempt) {
  public static RunError of(String code, String message) {
    return new RunError(TaskError.permanent(code, message), Optional.empty(), 0);
  }
}
