package dev.superstep.checkpoint.work;

import dev.superstep.checkpoint.StoredObject;
import dev.superstep.checkpoint.WorkerEndCodec;
import dev.superstep.checkpoint.work.ClaimStatement.TaskClaim;
import dev.superstep.checkpoint.work.WorkArrivals.WorkType;
import dev.superstep.engine.checkpoint.AskingStep;
import dev.superstep.engine.checkpoint.StepRecord;
import dev.superstep.engine.run.TaskKey;
import dev.superstep.engine.run.WorkerEnd;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.state.value.Value;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;

/// The rows of tasks for workers, and for those that end tasks in their place. Each method is one
/// statement, which joins the current transaction.
@Component
public class WorkerTasks {
  /// A lease, and the time-out of a node, are over when the clock of the database says so, whoever
  /// has noticed.
  private static final String HELD =
      """
      task.id = :id and task.token = :token and task.state = 'claimed'
      and task.lease_until > clock_timestamp()
      and (task.end_until is null or task.end_until > clock_timestamp())\
      """;

  /// Whoever has a task that was withdrawn is told that it is not wanted, and not that it came
  /// late.
  private static final String HEARTBEAT =
      """
      update task
         set lease_until = case when %2$s
               then clock_timestamp() + heartbeat_ms * interval '1 millisecond'
               else lease_until end,
             heard = true,
             progress = coalesce(:progress, progress)
        from run
       where %1$s and run.id = task.run
      returning task.lease_until, %2$s as wanted
      """
          .formatted(
              HELD.replace("task.state = 'claimed'", "task.state in ('claimed', 'withdrawn')"),
              "(task.state = 'claimed' and " + ClaimStatement.WANTED + ")");

  private static final String END =
      """
      update task
         set state = 'done', outcome = :outcome, answer = :answer, ended_at = clock_timestamp()
       where %s
      returning tenant_of(task.id) as tenant, task.type,
                extract(epoch from clock_timestamp() - task.claimed_at) * 1000 as worked_ms
      """
          .formatted(HELD);

  private static final String RELEASE =
      """
      update task
         set state = 'queued', token = null, lease_until = null, end_until = null,
             claims = claims - 1, heard = false,
             start_until = clock_timestamp() + start_ms * interval '1 millisecond'
       where %s
      returning tenant_of(task.id) as tenant, task.type
      """
          .formatted(HELD);

  /// Whose lease is over is found among all claimed tasks: an index of leases would make each
  /// heartbeat dearer.
  private static final String LOST =
      "(type <> '*' and (lost + heard::integer >= :lost_max or claims >= :claims_max))";

  private static final String REQUEUE =
      """
      with lost as materialized (
        select id from task
         where state = 'claimed' and lease_until < clock_timestamp() and not %1$s
           and (end_until is null or end_until > clock_timestamp())
         limit :limit for update skip locked
      )
      update task
         set state = case when %2$s then 'withdrawn' else 'queued' end,
             ended_at = case when %2$s then clock_timestamp() end,
             token = null, lease_until = null, end_until = null, lost = lost + heard::integer,
             start_until = clock_timestamp() + start_ms * interval '1 millisecond'
        from lost where task.id = lost.id
      returning tenant_of(task.id) as tenant, task.type
      """
          .formatted(LOST, SliceQueue.SPENT);

  private static final String SLEEP =
      """
      update task
         set state = 'sleeping', token = null, lease_until = null, end_until = null,
             claims = claims - 1, heard = false, lost = 0, start_until = :until
       where %s
      """
          .formatted(HELD);

  /// Tasks of failed runs rest until these are resumed. One that was replaced meanwhile, which a
  /// release before does not do to those that sleep, is wanted by nobody.
  private static final String WAKE =
      """
      with due as materialized (
        select task.id, run.status = 'failed' as failed,
               exists (select from task as newer
                        where newer.run = task.run and newer.superstep = task.superstep
                          and newer.node = task.node
                          and newer.dispatch_id is not distinct from task.dispatch_id
                          and newer.number > task.number) as replaced
          from task join run on run.id = task.run
         where task.state = 'sleeping' and task.start_until < statement_timestamp()
         order by task.start_until
         limit :limit for update of task skip locked for share of run skip locked
      )
      update task
         set state = case when replaced then 'withdrawn' when failed then 'resting'
                          else 'queued' end,
             queued_at = clock_timestamp(),
             ended_at = case when replaced then clock_timestamp() end,
             start_until = case when not replaced and not failed
               then clock_timestamp() + start_ms * interval '1 millisecond' end
        from due where task.id = due.id
      returning tenant_of(task.id) as tenant, task.type
      """;

  private static final String OVERDUE =
      """
      (select id, 'start' as kind from task
        where state = 'queued' and start_until < clock_timestamp()
        order by start_until limit :limit)
      union all
      (select id, case when end_until < clock_timestamp() then 'end' else 'heartbeat' end
         from task
        where state = 'claimed'
          and (end_until < clock_timestamp()
               or lease_until < clock_timestamp() and %s)
        limit :limit)
      union all
      (select id, case when end_until < clock_timestamp() then 'deadline' else 'silence' end
         from task
        where state = 'awaited' and start_until < clock_timestamp()
        order by start_until limit :limit)
      """
          .formatted(LOST);

  private static final String EXPIRE =
      """
      update task
         set state = 'done', outcome = :outcome, answer = :answer, ended_at = clock_timestamp()
       where id = :id
         and case :kind
               when 'start' then state = 'queued' and start_until < clock_timestamp()
               when 'end' then state = 'claimed' and end_until < clock_timestamp()
               when 'deadline' then state = 'awaited' and start_until < clock_timestamp()
               when 'silence' then state = 'awaited' and start_until < clock_timestamp()
               else state = 'claimed' and lease_until < clock_timestamp() and %s
             end
      """
          .formatted(LOST);

  private static final String OUT =
      """
      select count(*) from (
        select from task
         where run = :run and superstep = :superstep and node = :node and answer is null
           and state in ('queued', 'claimed', 'resting', 'sleeping', 'awaited')
         limit :limit) as counted
      """;

  private static final String QUEUED =
      """
      select wanted.tenant, wanted.type, found.tasks
        from unnest(:tenants::text[], :types::text[]) as wanted (tenant, type)
       cross join lateral (
         select count(*)::integer as tasks from (
           select from task
            where tenant_of(task.id) = wanted.tenant and task.type = wanted.type
              and task.state = 'queued'
            limit :limit) as counted) as found
       where found.tasks > 0
      """;

  private static final String WITHDRAW =
      """
      with unwanted as materialized (
        select task.id from task join run on run.id = task.run
         where task.state in ('queued', 'claimed', 'resting', 'sleeping', 'awaited') and not %s
         limit :limit for update of task skip locked
      )
      update task set state = 'withdrawn', ended_at = clock_timestamp()
        from unwanted where task.id = unwanted.id
      """
          .formatted(ClaimStatement.WANTED);

  /// A run that is resumed queues its tasks itself; this finds what that has missed.
  private static final String UNREST =
      """
      with resumed as materialized (
        select task.id from task join run on run.id = task.run
         where task.state = 'resting' and run.status <> 'failed'
         limit :limit for update of task skip locked
      )
      update task
         set state = 'queued',
             start_until = clock_timestamp() + start_ms * interval '1 millisecond'
        from resumed where task.id = resumed.id
      """;

  private static final String REST =
      """
      with failed as materialized (
        select task.id from task join run on run.id = task.run
         where task.state = 'queued' and run.status = 'failed'
         limit :limit for update of task skip locked for share of run skip locked
      )
      update task set state = 'resting', start_until = null
        from failed where task.id = failed.id
      """;

  private static final String PURGE =
      """
      delete from task where id in (
        select task.id from task join run on run.id = task.run
         where task.state in ('done', 'withdrawn') and task.ended_at < clock_timestamp() - :keep * interval '1 millisecond'
           and not %s
         order by task.ended_at limit :limit)
      """
          .formatted(ClaimStatement.WANTED);

  /// So many times as often a task may be lost by claims of which nothing was heard: such a worker
  /// may have been gone before it was handed the task.
  private static final int SILENT_FACTOR = 5;

  private final JdbcClient jdbc;
  private final ClaimStatement claims;

  WorkerTasks(JdbcClient jdbc, ClaimStatement claims) {
    this.jdbc = jdbc;
    this.claims = claims;
  }

  /// @param wakesBelow its success wakes the run when at most that many of its node are out
  /// @param outcome null: it has not ended
  public record StoredTask(
      String id,
      String run,
      TaskKey task,
      int wakesBelow,
      TaskState state,
      @Nullable UUID token,
      byte @Nullable [] outcome) {

    /// Whether it has ended with this outcome, under this token.
    public boolean hasEndedWith(UUID by, WorkerEnd end) {
      return state == TaskState.DONE
          && by.equals(token)
          && outcome != null
          && Arrays.equals(outcome, WorkerEndCodec.bytes(end));
    }
  }

  public enum TaskState {
    QUEUED,
    CLAIMED,
    /// Its run has failed, and has not been resumed.
    RESTING,
    /// Its worker has given it back until a time.
    SLEEPING,
    /// It is a callback: the outside ends it, under a token.
    AWAITED,
    DONE,
    WITHDRAWN
  }

  /// @param wanted whether the run still waits for it; if not, the lease is not prolonged
  public record TaskBeat(Instant leaseUntil, boolean wanted) {}

  /// @param worked since its claim
  public record EndedTask(WorkType type, Duration worked) {}

  /// What a task has been too late for.
  public enum Overdue {
    /// No worker has claimed it in time.
    START,
    /// Its worker has not ended in time.
    END,
    /// Too many workers in succession were not heard of.
    HEARTBEAT,
    /// A callback has not been answered in time.
    DEADLINE,
    /// Of a callback nothing was heard in time.
    SILENCE;

    public String text() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  public record OverdueTask(String id, Overdue kind) {}

  /// Claims tasks, oldest first among the graphs that have the fewest claimed.
  public List<ClaimedTask> claim(TaskClaim claim) {
    return claims.execute(claim);
  }

  /// Claims the task that the claim was woken for, or else as always.
  public List<ClaimedTask> claim(TaskClaim claim, Optional<String> woken) {
    return woken
        .flatMap(it -> claims.execute(claim, it))
        .map(List::of)
        .orElseGet(() -> claim(claim));
  }

  /// Whether there is a task to claim, perhaps.
  public boolean isQueued(Set<WorkType> types) {
    return !queued(types, 1).isEmpty();
  }

  public Optional<StoredTask> find(String id) {
    return jdbc.sql(
            """
            select id, run, superstep, node, dispatch_id, wakes_below, state, token, outcome
              from task where id = :id
            """)
        .param("id", id)
        .query((row, _) -> stored(row))
        .optional();
  }

  private static StoredTask stored(ResultSet row) throws SQLException {
    return new StoredTask(
        row.getString("id"),
        row.getString("run"),
        ClaimedTask.key(row),
        row.getInt("wakes_below"),
        TaskState.valueOf(row.getString("state").toUpperCase(Locale.ROOT)),
        row.getObject("token", UUID.class),
        row.getBytes("outcome"));
  }

  /// Prolongs the lease.
  ///
  /// @return empty if it is over, or another worker's
  public Optional<TaskBeat> heartbeat(String id, UUID token, Optional<Value> progress) {
    return jdbc.sql(HEARTBEAT)
        .param("id", id)
        .param("token", token)
        .param("progress", progress.map(StoredObject::bytes).orElse(null))
        .query((row, _) ->
            new TaskBeat(
                row.getObject("lease_until", OffsetDateTime.class).toInstant(),
                row.getBoolean("wanted")))
        .optional();
  }

  /// Ends a task. The caller has locked its run.
  ///
  /// @param answer number among the answers of the run
  /// @return empty if the lease is over, or another worker's: nothing has changed
  public Optional<EndedTask> end(String id, UUID token, WorkerEnd end, int answer) {
    return jdbc.sql(END)
        .param("id", id)
        .param("token", token)
        .param("outcome", WorkerEndCodec.bytes(end))
        .param("answer", answer)
        .query((row, _) ->
            new EndedTask(
                new WorkType(row.getString("tenant"), row.getString("type")),
                Duration.ofMillis(row.getLong("worked_ms"))))
        .optional();
  }

  /// Queues a task again whose worker gives it back.
  ///
  /// @return its type; empty if the lease is over, or another worker's: nothing has changed
  public Optional<WorkType> release(String id, UUID token) {
    return jdbc.sql(RELEASE)
        .param("id", id)
        .param("token", token)
        .query((row, _) -> new WorkType(row.getString("tenant"), row.getString("type")))
        .optional();
  }

  /// Keeps a task from all workers until a time, for the one that gives it back.
  ///
  /// @return false if the lease is over, or another worker's: nothing has changed
  public boolean sleep(String id, UUID token, Instant until) {
    return jdbc.sql(SLEEP)
            .param("id", id)
            .param("token", token)
            .param("until", until.atOffset(ZoneOffset.UTC))
            .update()
        == 1;
  }

  /// Queues tasks again that have slept.
  ///
  /// @return their types, one for each
  public List<WorkType> wake(int limit) {
    return jdbc.sql(WAKE)
        .param("limit", limit)
        .query((row, _) -> new WorkType(row.getString("tenant"), row.getString("type")))
        .list();
  }

  /// A step that the worker has asked in, behind its answer.
  public Optional<StepRecord> answered(String id) {
    return jdbc.sql("select payload from task where id = :id and number > 1")
        .param("id", id)
        .query((row, _) -> (ObjectValue) StoredObject.value(row.getBytes("payload")))
        .optional()
        .flatMap(AskingStep::answeredIn);
  }

  /// Queues tasks again whose workers were not heard of in time.
  ///
  /// @return their types, one for each
  public List<WorkType> requeueLost(int lostMax, int limit) {
    return jdbc.sql(REQUEUE)
        .param("lost_max", lostMax)
        .param("claims_max", lostMax * SILENT_FACTOR)
        .param("limit", limit)
        .query((row, _) -> new WorkType(row.getString("tenant"), row.getString("type")))
        .list();
  }

  public List<OverdueTask> overdue(int lostMax, int limit) {
    return jdbc.sql(OVERDUE)
        .param("lost_max", lostMax)
        .param("claims_max", lostMax * SILENT_FACTOR)
        .param("limit", limit)
        .query((row, _) ->
            new OverdueTask(
                row.getString("id"),
                Overdue.valueOf(row.getString("kind").toUpperCase(Locale.ROOT))))
        .list();
  }

  /// Ends a task that is overdue. The caller has locked its run.
  ///
  /// @return false if it is not any more
  public boolean expire(OverdueTask overdue, int lostMax, WorkerEnd end, int answer) {
    return jdbc.sql(EXPIRE)
            .param("id", overdue.id())
            .param("kind", overdue.kind().text())
            .param("lost_max", lostMax)
            .param("claims_max", lostMax * SILENT_FACTOR)
            .param("outcome", WorkerEndCodec.bytes(end))
            .param("answer", answer)
            .update()
        == 1;
  }

  /// Withdraws a task that no run wants. The caller has locked its run.
  public void withdraw(String id) {
    int _ =
        jdbc.sql(
                """
                update task set state = 'withdrawn', ended_at = clock_timestamp()
                 where id = :id and state in ('queued', 'claimed', 'resting', 'sleeping', 'awaited')
                """)
            .param("id", id)
            .update();
  }

  /// How many tasks of this node in this superstep are out, up to `limit`.
  public int out(String run, TaskKey task, int limit) {
    return jdbc.sql(OUT)
        .param("run", run)
        .param("superstep", task.superstep())
        .param("node", task.node().value())
        .param("limit", limit)
        .query(Integer.class)
        .single();
  }

  /// How many tasks of each type are queued, up to `limit`; types without any are absent.
  Map<WorkType, Integer> queued(Set<WorkType> types, int limit) {
    var listed = List.copyOf(types);
    return jdbc
        .sql(QUEUED)
        .param("tenants", listed.stream().map(WorkType::tenant).toArray(String[]::new))
        .param("types", listed.stream().map(WorkType::type).toArray(String[]::new))
        .param("limit", limit)
        .query((row, _) ->
            Map.entry(
                new WorkType(row.getString("tenant"), row.getString("type")), row.getInt("tasks")))
        .list()
        .stream()
        .collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue));
  }

  /// Withdraws up to `limit` tasks that no run wants.
  public int withdrawUnwanted(int limit) {
    return jdbc.sql(WITHDRAW).param("limit", limit).update();
  }

  /// Takes up to `limit` tasks of failed runs out of the queues.
  public int rest(int limit) {
    return jdbc.sql(REST).param("limit", limit).update();
  }

  /// Queues up to `limit` tasks again whose runs have failed no longer.
  public int queueResumed(int limit) {
    return jdbc.sql(UNREST).param("limit", limit).update();
  }

  /// Deletes up to `limit` tasks that ended a while ago and that no run needs any more.
  public int purge(Duration keep, int limit) {
    return jdbc.sql(PURGE).param("keep", keep.toMillis()).param("limit", limit).update();
  }
}
