package dev.superstep.langgraph;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.superstep.engine.run.TaskKey;
import java.util.UUID;

/// Ids of tasks for clients that expect UUIDs: derived from the run and the task.
public final class TaskIds {
  private TaskIds() {}

  public static String of(String run, TaskKey task) {
    return UUID.nameUUIDFromBytes((run + ' ' + task).getBytes(UTF_8)).toString();
  }
}
