package dev.superstep.checkpoint.work;

import dev.superstep.database.OwnRows;
import dev.superstep.database.OwnRows.RowCondition;
import dev.superstep.tenant.Tenant;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;

/// What waits for workers, and who works, for people who look.
@Component
public class TaskQueues {
  /// Of longer queues only so many tasks are looked at, so that a look costs the same however many
  /// wait.
  private static final int TASKS_MAX = 10_000;

  private static final int TYPES_MAX = 200;
  private static final int WORKERS_MAX = 100;

  private static final String LOOK =
      """
      with open as materialized (
        (select task.type, task.worker, task.state, task.queued_at, task.claimed_at
           from task join run on run.id = task.run
          where tenant_of(task.id) = :tenant and task.state = 'queued' and %1$s and REACHED
          order by task.type, task.graph, task.queued_at, task.id limit :tasks)
        union all
        (select task.type, task.worker, task.state, task.queued_at, task.claimed_at
           from task join run on run.id = task.run
          where tenant_of(task.id) = :tenant and task.state = 'claimed' and %1$s and REACHED
          limit :tasks)
      ), working as (
        select type, worker, count(*) as tasks, max(claimed_at) as last_claim
          from open where state = 'claimed'
         group by type, worker
      )
      select open.type,
             count(*) filter (where state = 'queued') as queued,
             count(*) filter (where state = 'claimed') as claimed,
             min(queued_at) filter (where state = 'queued') as waiting_since,
             array(select worker from working where working.type = open.type
                    order by last_claim desc, worker limit :workers) as workers,
             array(select tasks from working where working.type = open.type
                    order by last_claim desc, worker limit :workers) as tasks,
             array(select last_claim from working where working.type = open.type
                    order by last_claim desc, worker limit :workers) as claims
        from open
       group by open.type order by open.type limit :types
      """
          .formatted(ClaimStatement.WANTED);

  private final JdbcClient jdbc;

  TaskQueues(JdbcClient jdbc) {
    this.jdbc = jdbc;
  }

  /// @param waitingSince when the oldest queued task was queued
  public record TaskQueue(
      String type,
      long queued,
      long claimed,
      Optional<Instant> waitingSince,
      List<BusyWorker> workers) {
    public TaskQueue {
      workers = List.copyOf(workers);
    }
  }

  /// @param name empty: it has given none; those without one are one
  /// @param tasks that it has
  public record BusyWorker(Optional<String> name, long tasks, Instant lastClaim) {}

  /// Of the tenant whose request this is, as far as the key reaches.
  public List<TaskQueue> look() {
    var reached = OwnRows.tasks("task", "run");
    return jdbc.sql(
            LOOK.replace(
                "REACHED", "(%s)".formatted(reached.map(RowCondition::text).orElse("true"))))
        .params(reached.map(RowCondition::parameters).orElse(Map.of()))
        .param("tenant", Tenant.current().name())
        .param("tasks", TASKS_MAX)
        .param("types", TYPES_MAX)
        .param("workers", WORKERS_MAX)
        .query((row, _) -> queue(row))
        .list();
  }

  private static TaskQueue queue(ResultSet row) throws SQLException {
    var since = Optional.ofNullable(row.getObject("waiting_since", OffsetDateTime.class));
    return new TaskQueue(
        row.getString("type"),
        row.getLong("queued"),
        row.getLong("claimed"),
        since.map(OffsetDateTime::toInstant),
        workers(row));
  }

  private static List<BusyWorker> workers(ResultSet row) throws SQLException {
    var names = Arrays.<@Nullable String>asList((String[]) row.getArray("workers").getArray());
    var tasks = (Long[]) row.getArray("tasks").getArray();
    var claims = (java.sql.Timestamp[]) row.getArray("claims").getArray();
    var workers = new ArrayList<BusyWorker>();
    for (int i = 0; i < tasks.length; i++) {
      workers.add(
          new BusyWorker(Optional.ofNullable(names.get(i)), tasks[i], claims[i].toInstant()));
    }
    return workers;
  }
}
