package dev.superstep.checkpoint.work;

import dev.superstep.database.OwnRows;
import dev.superstep.database.OwnRows.RowCondition;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;

/// The statement that claims tasks: of the graphs of a tenant, those with the fewest claimed tasks
/// come first, and of a graph its oldest tasks. What several claims would take at the same moment,
/// one of them gets.
@Component
public class ClaimStatement {
  /// Graphs of a type that one claim looks at.
  private static final int GRAPHS_MAX = 200;

  /// Up to so many claimed tasks of a graph are counted.
  private static final int COUNTED_MAX = 1000;

  /// Tasks of a graph of which a claim withdraws those that no run wants.
  private static final int SWEPT_MAX = 50;

  /// What belongs to the superstep behind the last committed one, of a run that nobody has ended.
  static final String WANTED =
      """
      (run.cancel_requested_at is null and run.status not in ('succeeded', 'cancelled')
       and run.superstep < task.superstep)\
      """;

  private static final String SQL =
      """
      with recursive graph_of (type, graph) as (
        select wanted.type,
               (select task.graph from task
                 where tenant_of(task.id) = :tenant and task.type = wanted.type
                   and task.state = 'queued'
                 order by task.graph limit 1)
          from unnest(:types::text[]) as wanted (type)
        union all
        select graph_of.type,
               (select task.graph from task
                 where tenant_of(task.id) = :tenant and task.type = graph_of.type
                   and task.state = 'queued' and task.graph > graph_of.graph
                 order by task.graph limit 1)
          from graph_of where graph_of.graph is not null
      ), busy as materialized (
        select found.type, found.graph, counted.claimed
          from (select * from graph_of where graph is not null limit %1$d) as found
         cross join lateral (
           select count(*) as claimed from (
             select from task
              where tenant_of(task.id) = :tenant and task.type = found.type
                and task.graph = found.graph and task.state = 'claimed'
              limit %2$d) as taken) as counted
      ), candidate as materialized (
        select oldest.id, oldest.queued_at,
               busy.claimed
                 + row_number() over (partition by busy.type, busy.graph
                                      order by oldest.queued_at, oldest.id) as turn
          from busy
         cross join lateral (
           select task.id, task.queued_at
             from task join run on run.id = task.run
            where tenant_of(task.id) = :tenant and task.type = busy.type
              and task.graph = busy.graph and task.state = 'queued'
              and %3$s and run.status <> 'failed' and REACHED
            order by task.queued_at, task.id
            limit :max) as oldest
      ), first_unwanted as materialized (
        select locked.id
          from busy
         cross join lateral (
           select task.id, %3$s as wanted
             from task join run on run.id = task.run
            where tenant_of(task.id) = :tenant and task.type = busy.type
              and task.graph = busy.graph and task.state = 'queued'
            order by task.queued_at, task.id
            limit %4$d) as first
         cross join lateral (
           select task.id from task
            where task.id = first.id and task.state = 'queued'
              for update skip locked) as locked
         where not first.wanted
      ), withdrawn as (
        update task set state = 'withdrawn', ended_at = clock_timestamp()
         where task.id = any(array(select id from first_unwanted))
      ), chosen as materialized (
        select locked.id
          from (select * from candidate order by turn, queued_at, id) as next
         cross join lateral (
           select task.id from task
            where task.id = next.id and task.state = 'queued'
              for update skip locked) as locked
         limit :max
      )
      update task
         set state = 'claimed', claims = claims + 1, token = gen_random_uuid(), worker = :worker,
             claimed_at = clock_timestamp(), start_until = null, progress = null,
             lease_until = clock_timestamp() + heartbeat_ms * interval '1 millisecond',
             end_until = clock_timestamp() + end_ms * interval '1 millisecond'
       where task.id = any(array(select id from chosen))
      returning task.*
      """
          .formatted(GRAPHS_MAX, COUNTED_MAX, WANTED, SWEPT_MAX);

  private final JdbcClient jdbc;

  /// @param reached says of a run whether the caller reaches it
  static String sql(String reached) {
    return SQL.replace("REACHED", "(" + reached + ")");
  }

  ClaimStatement(JdbcClient jdbc) {
    this.jdbc = jdbc;
  }

  /// @param worker a name to be shown
  public record TaskClaim(String tenant, Set<String> types, Optional<String> worker, int max) {}

  /// Without a transaction around it, the tasks are claimed when this returns.
  List<ClaimedTask> execute(TaskClaim claim) {
    var reached = OwnRows.runs("run");
    return jdbc.sql(sql(reached.map(RowCondition::text).orElse("true")))
        .params(reached.map(RowCondition::parameters).orElse(Map.of()))
        .param("tenant", claim.tenant())
        .param("types", claim.types().toArray(String[]::new))
        .param("worker", claim.worker().orElse(null))
        .param("max", claim.max())
        .query(ClaimedTask::of)
        .list();
  }
}
