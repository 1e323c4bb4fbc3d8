package dev.superstep.checkpoint.work;

import dev.superstep.checkpoint.work.WorkArrivals.WorkType;
import dev.superstep.database.OwnRows;
import dev.superstep.database.OwnRows.RowCondition;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;

/// The statement that claims tasks: of the graphs of a tenant, those with the fewest claimed tasks
/// come first, and of a graph its oldest tasks. What several claims would take at the same moment,
/// one of them gets.
@Component
public class ClaimStatement {
  /// Graphs that one look of a claim considers; the next look goes on behind them.
  private static final int GRAPHS_MAX = 200;

  /// Likewise of each type, if there are many.
  private static final int GRAPHS_MIN = 10;

  /// Looks of a claim that has found nothing although there may be something.
  private static final int LOOKS_MAX = 10;

  /// Candidates beyond those that a claim wants.
  private static final int SPARE = 64;

  /// Payloads of one claim have about so many bytes.
  private static final long BYTES_MAX = 8_000_000;

  /// Types of tenants whose last graph is known.
  private static final int STARTS_MAX = 10_000;

  /// Up to so many claimed tasks of a graph are counted.
  private static final int COUNTED_MAX = 1000;

  /// Tasks of a graph of which a claim withdraws those that no run wants.
  private static final int SWEPT_MAX = 50;

  /// What belongs to the superstep behind the last committed one, of a run that nobody has ended; a
  /// slice is for the lease of the driver that has cut it: another driver calls for itself.
  static final String WANTED =
      """
      (run.cancel_requested_at is null and run.status not in ('succeeded', 'cancelled')
       and run.superstep < task.superstep
       and (task.type <> '*' or task.idempotency_key = run.lease_epoch::text))\
      """;

  private static final String WALK =
      """
      with recursive walk (type, part, last, n, graph) as (
        select wanted.type, part.number, part.last, 1,
               (select task.graph from task
                 where tenant_of(task.id) = :tenant and task.type = wanted.type
                   and task.state = 'queued'
                   and task.graph > part.start and task.graph <= part.last
                 order by task.graph limit 1)
          from unnest(:types::text[], :starts::text[]) as wanted (type, start)
         cross join lateral (
           values (1, wanted.start, U&'\\+10FFFF'), (2, '', wanted.start))
             as part (number, start, last)
        union all
        select walk.type, walk.part, walk.last, walk.n + 1,
               (select task.graph from task
                 where tenant_of(task.id) = :tenant and task.type = walk.type
                   and task.state = 'queued'
                   and task.graph > walk.graph and task.graph <= walk.last
                 order by task.graph limit 1)
          from walk where walk.graph is not null and walk.n < :graphs
      ), found as materialized (
        select type, graph, place
          from (select type, graph, row_number() over (partition by type order by part, graph)
                  as place
                  from walk where graph is not null) as placed
         where place <= :graphs
      ), busy as materialized (
        select found.type, found.graph, counted.claimed
          from found
         cross join lateral (
           select count(*) as claimed from (
             select from task
              where tenant_of(task.id) = :tenant and task.type = found.type
                and task.graph = found.graph and task.state = 'claimed'
              limit %d) as taken) as counted
      )
      """
          .formatted(COUNTED_MAX);

  /// What nobody wants, among the first tasks of each graph. Tasks of failed runs rest until these
  /// are resumed, which locks the run.
  private static final String SWEEP =
      """
      , first as materialized (
        select oldest.*
          from busy
         cross join lateral (
           select task.id, %1$s as wanted, run.status = 'failed' as failed
             from task join run on run.id = task.run
            where tenant_of(task.id) = :tenant and task.type = busy.type
              and task.graph = busy.graph and task.state = 'queued'
            order by task.queued_at, task.id
            limit %2$d) as oldest
      ), unwanted as materialized (
        select locked.id
          from first
         cross join lateral (
           select task.id from task
            where task.id = first.id and task.state = 'queued'
              for update skip locked) as locked
         where not first.wanted
      ), withdrawn as (
        update task set state = 'withdrawn', ended_at = clock_timestamp()
         where task.id = any(array(select id from unwanted))
      ), failed as materialized (
        select locked.id
          from first
         cross join lateral (
           select task.id from task join run on run.id = task.run
            where task.id = first.id and task.state = 'queued' and run.status = 'failed'
              for update of task skip locked for share of run skip locked) as locked
         where first.wanted and first.failed
      ), rested as (
        update task set state = 'resting', start_until = null
         where task.id = any(array(select id from failed))
      )
      """
          .formatted(WANTED, SWEPT_MAX);

  private static final String CLAIM =
      """
      update task
         set state = 'claimed', claims = task.claims + 1, token = gen_random_uuid(),
             worker = :worker, claimed_at = clock_timestamp(), start_until = null,
             progress = null, heard = false,
             lease_until = clock_timestamp() + task.heartbeat_ms * interval '1 millisecond',
             end_until = clock_timestamp() + task.end_ms * interval '1 millisecond'\
      """;

  /// Other claims may lock what this one looks at: it looks at more than it wants.
  private static final String TAKE =
      """
      , candidate as materialized (
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
              and %1$s and run.status <> 'failed' and REACHED
              and task.run <> all(:except::text[])
            order by task.queued_at, task.id
            limit :max + (select %2$d / greatest(count(*), 1) from busy)) as oldest
      ), chosen as materialized (
        select locked.id, next.turn, next.queued_at, locked.bytes
          from (select * from candidate order by turn, queued_at, id) as next
         cross join lateral (
           select task.id, octet_length(task.payload) as bytes from task
            where task.id = next.id and task.state = 'queued'
              for update skip locked) as locked
         limit :max
      ), sized as (
        select id, sum(bytes) over (order by turn, queued_at, id) - bytes as before from chosen
      ), claimed as (
        %3$s
         where task.id = any(array(select id from sized where before < :bytes))
        returning task.*
      )
      select claimed.*, STEPS as stepped,
             array(select type from found where place = :graphs order by type) as cut_types,
             array(select graph from found where place = :graphs order by type) as cut_graphs,
             exists (select from candidate) or exists (select from unwanted)
               or exists (select from failed) as missed
        from (select) as always left join claimed on true
      """
          .formatted(WANTED, SPARE, CLAIM)
          .replace("STEPS", steps("claimed"));

  /// For the task that has woken a claim: what the others look through has been empty a moment ago.
  private static final String TAKE_ONE =
      """
      %2$s
        from run
       where task.id = :id and tenant_of(task.id) = :tenant and task.type = any(:types::text[])
         and task.state = 'queued'
         and run.id = task.run and %1$s and run.status <> 'failed' and REACHED
      returning task.*, STEPS as stepped
      """
          .formatted(WANTED, CLAIM)
          .replace("STEPS", steps("task"));

  /// For a replica that has the run of a wide superstep loaded.
  private static final String TAKE_NEXT =
      """
      with next as materialized (
        select id from task
         where run = :run and superstep = :superstep and tenant_of(id) = :tenant
           and state = 'queued'
         order by queued_at, id limit 1
           for update skip locked
      )
      """
          + TAKE_ONE.replace(":id", "(select id from next)");

  private final JdbcClient jdbc;

  /// Behind which graph the next look begins, where there are more graphs than one look considers.
  private final Map<WorkType, String> starts = new ConcurrentHashMap<>();

  ClaimStatement(JdbcClient jdbc) {
    this.jdbc = jdbc;
  }

  /// @param worker a name of the worker's own choice
  /// @param exceptRuns of which no task is wanted
  public record TaskClaim(
      String tenant, Set<String> types, Optional<String> worker, int max, Set<String> exceptRuns) {
    private WorkType workType(String type) {
      return new WorkType(tenant, type);
    }
  }

  /// @param cuts the last graph of each type that has more than were looked at
  /// @param missed whether there was a task that was locked, or that no run wants
  private record ClaimLook(List<ClaimedTask> tasks, Map<String, String> cuts, boolean missed) {
    boolean isWorthAnother() {
      return tasks.isEmpty() && (missed || !cuts.isEmpty());
    }
  }

  /// Also of those that were given back, which does not count as a claim.
  private static String steps(String task) {
    return """
    exists (select from task_step
             where task_step.run = %1$s.run and task_step.task = %1$s.idempotency_key)\
    """
        .formatted(task);
  }

  /// @param reached says of a run whether the caller reaches it
  static String sql(String reached) {
    return WALK + SWEEP + TAKE.replace("REACHED", "(" + reached + ")");
  }

  /// Without a transaction around it, the tasks are claimed when this returns. It is empty-handed
  /// only if several looks were.
  List<ClaimedTask> execute(TaskClaim claim) {
    var look = look(claim);
    for (int looks = 1; looks < LOOKS_MAX && look.isWorthAnother(); looks++) {
      look = look(claim);
    }
    return look.tasks();
  }

  /// Claims this task, if it is still to be had.
  Optional<ClaimedTask> execute(TaskClaim claim, String id) {
    return one(claim, TAKE_ONE).param("id", id).query(ClaimedTask::of).optional();
  }

  /// Claims a task of this superstep, if there is one.
  Optional<ClaimedTask> execute(TaskClaim claim, WideSuperstep of) {
    return one(claim, TAKE_NEXT)
        .param("run", of.run())
        .param("superstep", of.superstep())
        .query(ClaimedTask::of)
        .optional();
  }

  private JdbcClient.StatementSpec one(TaskClaim claim, String statement) {
    var reached = reached(claim);
    return jdbc.sql(statement.replace("REACHED", "(%s)".formatted(text(reached))))
        .params(reached.map(RowCondition::parameters).orElse(Map.of()))
        .param("tenant", claim.tenant())
        .param("types", claim.types().toArray(String[]::new))
        .param("worker", claim.worker().orElse(null));
  }

  private static Optional<RowCondition> reached(TaskClaim claim) {
    return claim.tenant().equals(SliceQueue.TENANT)
        ? Optional.of(new RowCondition(SliceQueue.ROOM, Map.of()))
        : OwnRows.tasks("task", "run");
  }

  private static String text(Optional<RowCondition> reached) {
    return reached.map(RowCondition::text).orElse("true");
  }

  private ClaimLook look(TaskClaim claim) {
    var reached = reached(claim);
    var types = List.copyOf(claim.types());
    var look =
        jdbc.sql(sql(text(reached)))
            .params(reached.map(RowCondition::parameters).orElse(Map.of()))
            .param("tenant", claim.tenant())
            .param("types", types.toArray(String[]::new))
            .param(
                "starts",
                types.stream()
                    .map(it -> starts.getOrDefault(claim.workType(it), ""))
                    .toArray(String[]::new))
            .param("graphs", Math.max(GRAPHS_MAX / types.size(), GRAPHS_MIN))
            .param("worker", claim.worker().orElse(null))
            .param("max", claim.max())
            .param("except", claim.exceptRuns().toArray(String[]::new))
            .param("bytes", BYTES_MAX)
            .query(ClaimStatement::read);
    goOn(claim, look);
    return look;
  }

  private static ClaimLook read(ResultSet rows) throws SQLException {
    var tasks = new ArrayList<ClaimedTask>();
    var cuts = new HashMap<String, String>();
    boolean missed = false;
    while (rows.next()) {
      var types = (String[]) rows.getArray("cut_types").getArray();
      var graphs = (String[]) rows.getArray("cut_graphs").getArray();
      for (int i = 0; i < types.length; i++) {
        cuts.put(types[i], graphs[i]);
      }
      missed |= rows.getBoolean("missed");
      if (rows.getString("id") != null) {
        tasks.add(ClaimedTask.of(rows, tasks.size()));
      }
    }
    return new ClaimLook(tasks, cuts, missed);
  }

  /// The next look begins behind the graph that had a turn, or behind those that had nothing to
  /// give: each graph is looked at again and again.
  private void goOn(TaskClaim claim, ClaimLook look) {
    if (starts.size() > STARTS_MAX) {
      starts.clear();
    }
    for (var type : claim.types()) {
      var cut = look.cuts().get(type);
      if (cut == null) {
        starts.remove(claim.workType(type));
      } else {
        starts.put(claim.workType(type), served(look, type).orElse(cut));
      }
    }
  }

  private static Optional<String> served(ClaimLook look, String type) {
    return look.tasks().stream()
        .filter(it -> it.type().equals(type))
        .map(it -> it.origin().graph())
        .findFirst();
  }
}
