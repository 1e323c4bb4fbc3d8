package dev.superstep.checkpoint;

import dev.superstep.schedule.ScheduledRows;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.springframework.jdbc.core.simple.JdbcClient;

/// What must be true of every run in a database, whatever has happened to it: the invariants I1 to
/// I7 as queries that return what breaks them. I8 and I9 need the fold: [InvariantFolds].
public final class InvariantQueries {
  private final JdbcClient jdbc;

  public InvariantQueries(JdbcClient jdbc) {
    this.jdbc = jdbc;
  }

  /// @param lease that of the replicas: I7 allows three of them
  /// @return one line for each violation, such as `I3 run-7: …`; empty if all is well
  public List<String> violations(Collection<String> runs, Duration lease) {
    var violations = new ArrayList<String>();
    queries()
        .forEach((name, sql) ->
            jdbc.sql(sql)
                .param("runs", runs.toArray(String[]::new))
                .param("patience", lease.multipliedBy(3).toMillis())
                .query((row, _) -> "%s %s: %s".formatted(name, row.getString(1), row.getString(2)))
                .list()
                .forEach(violations::add));
    return violations;
  }

  /// The state of each thread is that of its run with the highest turn, and no later run can get a
  /// turn or an ordinal that the thread had before.
  public List<String> threadViolations() {
    return jdbc.sql(THREADS)
        .query((row, _) -> "thread %s: %s".formatted(row.getString(1), row.getString(2)))
        .list();
  }

  private static Map<String, String> queries() {
    var queries = new LinkedHashMap<String, String>();
    queries.put("I1", UNFINISHED_TASKS);
    queries.put("I2", INCOMPLETE_PENDING);
    queries.put("I3", GAPS_IN_CHECKPOINTS);
    queries.put("I4", HEADS_THAT_DISAGREE);
    queries.put("I5", GAPS_IN_EVENTS);
    queries.put("I6", TERMINAL_EVENTS);
    queries.put("I7", FORGOTTEN_RUNS);
    queries.put("I14", MESSAGES_THAT_DISAGREE);
    queries.put("hash", WRONG_HASHES);
    return queries;
  }

  /// What was committed last in a thread at rest belongs to its head.
  private static final String THREADS =
      """
      select thread.id, format('its counter is %s; run %s has ordinal %s and turn %s', thread.runs,
                               run.id, run.ordinal, run.turn)
        from thread join run on run.thread_id = thread.id
       where greatest(run.ordinal, run.turn) >= thread.runs
      union all
      select thread_id, format('%s runs have turn %s', count(*), turn)
        from run where turn is not null group by thread_id, turn having count(*) > 1
      union all
      select last.thread_id, format('run %s has committed last and has turn %s; the head has %s',
                                    last.id, last.turn, last.highest)
        from (select distinct on (run.thread_id) run.thread_id, run.id, run.turn,
                     max(run.turn) over (partition by run.thread_id) as highest
                from run
                join checkpoint on checkpoint.run = run.id and checkpoint.number = run.checkpoint
               where run.turn is not null
                 and not exists (select from run as active
                                  where active.thread_id = run.thread_id
                                    and active.status in ('queued', 'running', 'cancelling'))
               order by run.thread_id, greatest(checkpoint.committed_at, run.started_at) desc,
                        run.turn desc) as last
       where last.turn < last.highest
      """;

  /// What is stored is what was written: a row that was changed by anything but its hash's own
  /// statement differs.
  private static final String WRONG_HASHES =
      """
      select run, format('checkpoint %s is not linked', number) from checkpoint as stored
       where run = any(:runs)
         and link <> checkpoint_link(
               (select before.link from checkpoint as before
                 where before.run = stored.run and before.number = stored.number - 1), stored)
         and (number = 0 or exists (select from checkpoint as before
                                     where before.run = stored.run
                                       and before.number = stored.number - 1))
      union all
      select run, format('checkpoint %s is not sealed', number) from checkpoint
       where run = any(:runs)
         and seal <> checkpoint_seal(link, version, lease_epoch, first_event, last_event,
                                     committed_at)
      union all
      select run, format('event %s differs', seq) from run_event as stored
       where run = any(:runs) and digest <> history_digest(stored)
      union all
      select run, format('question %s differs', id) from interrupt as stored
       where run = any(:runs) and digest <> history_digest(stored)
      union all
      select run, format('resolution %s differs', task) from resolution as stored
       where run = any(:runs) and digest <> history_digest(stored)
      union all
      select id, 'the head differs' from run as stored
       where id = any(:runs) and digest <> history_digest(stored)
      union all
      select run, 'the request differs' from run_input as stored
       where run = any(:runs) and digest <> history_digest(stored)
      """;

  /// No committed superstep has an unfinished task, nor a slice that its driver did not wait for.
  private static final String UNFINISHED_TASKS =
      """
      select c.run, format('checkpoint %s has an unfinished task: %s', c.number, task ->> 'n')
        from checkpoint c,
             jsonb_array_elements(convert_from(c.content, 'UTF8')::jsonb -> 't') as task
       where c.run = any(:runs) and c.kind in ('step', 'final')
         and not jsonb_exists_any(task, array['done', 'handled', 'cancelled'])
         and not (task ->> 'n' = '__inbox__' and jsonb_exists(task, 'rejected'))
      union all
      select r.id, format('slice %s is open', s.id)
        from task s join run r on r.id = s.run and r.lease_epoch::text = s.idempotency_key
       where r.id = any(:runs) and s.id like '*/%' and s.state in ('queued', 'claimed')
         and s.superstep <= r.superstep
      """;

  /// A message was taken by a checkpoint if and only if that has its record, in the order in which
  /// they were accepted, and once; none waits behind the end of its run that is to begin no other.
  private static final String MESSAGES_THAT_DISAGREE =
      """
      with recorded as (
        select c.run, c.number, task.value ->> 'd' as id,
               row_number() over (partition by c.run order by c.number, task.ordinality) as place
          from checkpoint c,
               jsonb_array_elements(convert_from(c.content, 'UTF8')::jsonb -> 't')
                 with ordinality as task
         where c.run = any(:runs) and c.kind in ('step', 'final')
           and task.value ->> 'n' = '__inbox__'
      ), taken as (
        select run, checkpoint as number, id,
               row_number() over (partition by run order by seq) as place
          from run_message
         where run = any(:runs) and checkpoint is not null
      )
      select coalesce(recorded.run, taken.run),
             format('message %s is %s of checkpoint %s and %s of %s', coalesce(recorded.id, taken.id),
                    coalesce(recorded.place, 0), coalesce(recorded.number, -1),
                    coalesce(taken.place, 0), coalesce(taken.number, -1))
        from recorded full join taken
             on taken.run = recorded.run and taken.id = recorded.id
                and taken.number = recorded.number and taken.place = recorded.place
       where recorded.run is null or taken.run is null
      union all
      select message.run, format('message %s was left when the run succeeded', message.id)
        from run_message as message join run on run.id = message.run
       where run.id = any(:runs) and run.status = 'succeeded' and message.if_ended = 'reject'
         and message.checkpoint is null
      """;

  /// The pending set of the last checkpoint is complete, dispatches included: something is pending
  /// unless the run has failed for want of it, dispatches name node and id, and what is held was
  /// pending.
  private static final String INCOMPLETE_PENDING =
      """
      with planned as (
        select distinct on (c.run) c.run, r.status,
               convert_from(c.content, 'UTF8')::jsonb -> 'p' -> 'next' as next
          from checkpoint c join run r on r.id = c.run
         where c.run = any(:runs) and c.kind <> 'held'
         order by c.run, c.number desc
      )
      select run, 'nothing is pending'
        from planned
       where next is null and status <> 'failed'
      union all
      select run, format('incomplete dispatch: %s', activation)
        from planned, jsonb_array_elements(next) as activation
       where jsonb_typeof(activation) = 'object'
         and not jsonb_exists_all(activation, array['n', 'id'])
      union all
      select planned.run, format('task %s is held and was not pending', task)
        from planned join run r on r.id = planned.run
        join checkpoint h on h.run = r.id and h.kind = 'held' and h.number = r.checkpoint,
             jsonb_array_elements(convert_from(h.content, 'UTF8')::jsonb -> 't') as task
       where not exists (
               select 1
                 from jsonb_array_elements(coalesce(next, '[]')) as activation
                where activation = task -> 'n'
                   or activation -> 'n' = task -> 'n' and activation -> 'id' = task -> 'd')
      """;

  /// Superstep commits and checkpoint numbers are gap-free, epochs never decrease.
  private static final String GAPS_IN_CHECKPOINTS =
      """
      select run, format('checkpoint %s follows %s', number, before)
        from (select run, number,
                     lag(number, 1, -1) over (partition by run order by number) as before
                from checkpoint where run = any(:runs)) numbers
       where number <> before + 1
      union all
      select run, format('superstep %s is committed behind %s', steps.superstep, before)
        from (select run, superstep, kind,
                     lag(superstep) over (partition by run order by number) as before
                from checkpoint where run = any(:runs)) steps
       where before is not null
         and steps.superstep <> before + case when kind in ('step', 'final') then 1 else 0 end
      union all
      select run, format('epoch %s is written behind %s', lease_epoch, before)
        from (select run, lease_epoch,
                     lag(lease_epoch) over (partition by run order by number) as before
                from checkpoint where run = any(:runs)) epochs
       where lease_epoch < before
      """;

  /// The run's head agrees with its last checkpoint.
  private static final String HEADS_THAT_DISAGREE =
      """
      select r.id, format('the head is at checkpoint %s of superstep %s, %s; the last is %s of %s',
                          r.checkpoint, r.superstep, r.status, c.number, c.superstep)
        from run r
        left join lateral (
             select number, superstep, kind, lease_epoch from checkpoint
              where run = r.id order by number desc limit 1) c on true
       where r.id = any(:runs)
         and (c.number is distinct from r.checkpoint
              or c.lease_epoch > r.lease_epoch
              or r.superstep <> c.superstep + case when r.status = 'succeeded' then 1 else 0 end)
      """;

  /// Events are gap-free from 1.
  private static final String GAPS_IN_EVENTS =
      """
      select run.id, format('event %s is stored %s times', wanted.seq, count(seqs.seq))
        from run
       cross join lateral (
             select seq from generate_series(1, run.event_seq) as seq
              union
             select seq from run_event where run = run.id and seq > run.event_seq) wanted
        left join (select run, seq from run_event where run = any(:runs)
                   union all
                   select run, generate_series(first_event, last_event) from checkpoint
                    where run = any(:runs)) seqs
             on seqs.run = run.id and seqs.seq = wanted.seq
       where run.id = any(:runs)
       group by run.id, wanted.seq, run.event_seq
      having count(seqs.seq) <> 1 or wanted.seq > run.event_seq
      union all
      select run, format('checkpoint %s has %s events for %s numbers', number,
                         jsonb_array_length(convert_from(events, 'UTF8')::jsonb),
                         last_event - first_event + 1)
        from checkpoint
       where run = any(:runs)
         and jsonb_array_length(convert_from(events, 'UTF8')::jsonb) <> last_event - first_event + 1
      """;

  /// Exactly one terminal state and event per finished run.
  private static final String TERMINAL_EVENTS =
      """
      select r.id, format('the run is %s, its terminal events are %s', r.status,
                          coalesce(string_agg(e.type, ', '), 'none'))
        from run r
        left join (select run, type from run_event where run = any(:runs)
                   union all
                   select run, event ->> 't'
                     from checkpoint,
                          jsonb_array_elements(convert_from(events, 'UTF8')::jsonb) as event
                    where run = any(:runs)) e
             on e.run = r.id and e.type in ('run.succeeded', 'run.cancelled')
       where r.id = any(:runs)
       group by r.id, r.status
      having case when r.status in ('succeeded', 'cancelled')
                  then count(e.type) <> 1 or min(e.type) <> 'run.' || r.status
                  else count(e.type) <> 0 end
      """;

  /// No run in flight for longer than 3 lease times without an owner that lives or a wake-up that
  /// comes. Owner and wake-up change in one transaction, so that neither is ever missing; that
  /// nobody acts on them may last as long as a lease.
  private static final String FORGOTTEN_RUNS =
      """
      select r.id, format('the run is %s and nobody will ever look at it', r.status)
        from run r
       where r.id = any(:runs)
         and (r.status in ('queued', 'running', 'waiting', 'cancelling')
              or r.status = 'interrupted' and r.wakes_at is not null)
         and r.owner is null
         and not exists (select 1 from {wake-ups} s where s.instance = r.id || '/' || r.wake)
      union all
      select r.id, format('the wake-up %s was due at %s', s.instance, s.due)
        from run r
        join {wake-ups} s on s.instance = r.id || '/' || r.wake
       where r.id = any(:runs)
         and r.owner is null and r.status in ('queued', 'running', 'waiting', 'cancelling')
         and greatest(s.due, s.beat) < clock_timestamp() - :patience * interval '1 ms'
      union all
      select r.id, format('the owner %s is no replica, or has been silent since %s', r.owner, s.beat)
        from run r
        left join {replicas} s on s.name = r.owner
       where r.id = any(:runs)
         and r.owner is not null and r.status in ('running', 'cancelling')
         and (s.name is null
              or s.beat < clock_timestamp() - :patience * interval '1 ms')
      """
          .replace("{wake-ups}", ScheduledRows.WAKE_UPS)
          .replace("{replicas}", ScheduledRows.REPLICAS);
}
