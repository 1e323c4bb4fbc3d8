package dev.superstep.checkpoint.step;

import dev.superstep.checkpoint.StepCodec;
import dev.superstep.checkpoint.step.TaskSteps.StoredPage;
import dev.superstep.database.EntityColumns;
import dev.superstep.engine.checkpoint.StepRecord;
import jakarta.persistence.EntityManagerFactory;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;

/// The recorded steps of tasks that workers execute. A claim is an attempt, which its token names.
/// Each method joins the current transaction.
@Component
public class WorkerSteps {
  private static final String HELD =
      """
      select task.run, task.idempotency_key, task.superstep,
             (select coalesce(sum(octet_length(content)), 0) from task_step
               where run = task.run and task_step.task = task.idempotency_key) as bytes
        from task join run on run.id = task.run
       where task.id = :id and task.token = :token and task.state = 'claimed'
         and task.lease_until > clock_timestamp()
         and (task.end_until is null or task.end_until > clock_timestamp())
         and run.cancel_requested_at is null and run.status not in ('succeeded', 'cancelled')
         and run.superstep < task.superstep
         for key share of run for share of task
      """;

  private final JdbcClient jdbc;
  private final String insert;

  WorkerSteps(JdbcClient jdbc, EntityManagerFactory entities) {
    this.jdbc = jdbc;
    var columns = EntityColumns.of(entities, TaskStepEntity.class);
    this.insert =
        columns.insertSelect(
                Map.of(
                    "run", ":run",
                    "task", ":task",
                    "ordinal", ":ordinal",
                    "superstep", ":superstep",
                    "name", ":name",
                    "kind", ":kind",
                    "attempt", ":attempt",
                    "content", ":content",
                    "recorded_at", "clock_timestamp()"))
            + " "
            + columns.onConflictUpdate()
            + " where task_step.attempt = excluded.attempt and task_step.content is null";
  }

  /// A task that a worker has. Until the transaction ends, it keeps it.
  ///
  /// @param bytes of the results of its steps so far
  public record HeldTask(String run, String key, int superstep, long bytes) {}

  /// @return empty if its lease is over, it is another worker's, or no run waits for it any more
  public Optional<HeldTask> hold(String id, UUID token) {
    return jdbc.sql(HELD)
        .param("id", id)
        .param("token", token)
        .query((row, _) ->
            new HeldTask(row.getString(1), row.getString(2), row.getInt(3), row.getLong(4)))
        .optional();
  }

  /// Records a step, unless another claim of the task has, or how it ended is known: a begin that
  /// arrives late erases nothing.
  public void record(HeldTask task, UUID token, StepRecord step) {
    int _ =
        jdbc.sql(insert)
            .param("run", task.run())
            .param("task", task.key())
            .param("ordinal", step.ordinal())
            .param("superstep", task.superstep())
            .param("name", step.name())
            .param("kind", TaskSteps.text(step.kind()))
            .param("attempt", token)
            .param("content", step.end().map(StepCodec::bytes).orElse(null))
            .update();
  }

  /// What is recorded of it, from a place on.
  public StoredPage read(HeldTask task, int from) {
    return TaskSteps.read(jdbc, task.run(), task.key(), from);
  }
}
