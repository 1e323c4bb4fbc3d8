package dev.superstep.run.drive;

import dev.superstep.checkpoint.StoredForm;
import dev.superstep.database.Pools;
import dev.superstep.engine.checkpoint.LoadedRun;
import dev.superstep.engine.run.BirthId;
import dev.superstep.engine.run.Lease;
import dev.superstep.engine.run.RunHeader;
import dev.superstep.engine.run.RunStatus;
import dev.superstep.run.store.StoredJson;
import dev.superstep.schedule.DatabaseClock;
import dev.superstep.schedule.Wake;
import dev.superstep.schedule.WakeUps;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;
import org.springframework.transaction.annotation.Transactional;

/// Claims runs for drivers and hands them back. Each is one conditional update; 0 rows mean that
/// another replica was first.
@Component
public class RunClaims {
  private static final String CLAIM =
      """
      with found as (
        select id, status, started_at is null as first from run
         where id = :run and wake = :wake and owner is null
           and status in ('queued', 'running', 'waiting', 'interrupted', 'cancelling')
           and (takeovers < :suspect or :admits) and form <= :form
           for update
      ), claimed as (
        update run
           set owner = :replica,
               lease_epoch = next_epoch(lease_epoch),
               status = case when cancel_requested_at is null
                             then 'running' else 'cancelling' end,
               started_at = coalesce(started_at, now()),
               event_seq = event_seq
                           + case when first or takeovers > 0
                                       or found.status in ('waiting', 'interrupted')
                                  then 1 else 0 end
          from found
         where run.id = :run and run.id = found.id
        returning run.id, run.birth_id, run.graph, run.version, run.ordinal, run.lease_epoch,
                  run.parent_run, run.thread_id, run.caller, run.takeovers, run.event_seq,
                  found.status as before, found.first
      ), recorded as (
        insert into run_event (run, seq, type, data, at)
        select id, event_seq,
               case when first then 'run.started'
                    when takeovers > 0 then 'run.taken_over'
                    else 'run.resumed' end,
               convert_to(case when first or takeovers = 0 then '{}'
                               else format('{"takeovers":%s}', takeovers) end, 'UTF8'),
               now()
          from claimed
         where first or takeovers > 0 or before in ('waiting', 'interrupted')
      )
      select claimed.*, run_input.metadata::text as metadata, run_input.params,
             run_input.traceparent
        from claimed join run_input on run_input.run = claimed.id
       where run_input.run = :run
      """;

  private final JdbcClient jdbc;
  private final WakeUps wakeUps;
  private final DatabaseClock clock;

  RunClaims(@Qualifier(Pools.SCHEDULER) JdbcClient jdbc, WakeUps wakeUps, DatabaseClock clock) {
    this.jdbc = jdbc;
    this.wakeUps = wakeUps;
    this.clock = clock;
  }

  /// A run this replica may drive.
  ///
  /// @param takeovers in succession, with nothing committed in between
  /// @param before its status when it was claimed
  /// @param image empty: it is to be loaded
  /// @param parent whose child or fork it is
  /// @param thread that it is part of
  /// @param caller API key that has started it
  public record Claim(
      RunHeader header,
      Lease lease,
      int takeovers,
      RunStatus before,
      Optional<LoadedRun> image,
      Optional<String> parent,
      Optional<String> thread,
      String caller) {

    /// The claim of a run that need not be loaded.
    ///
    /// @param loaded with the status that the claim has written
    public Claim with(LoadedRun loaded) {
      var image = Optional.of(loaded.with(before));
      return new Claim(header, lease, takeovers, before, image, parent, thread, caller);
    }

    public boolean isSuspect() {
      return takeovers >= Suspects.DEATHS;
    }
  }

  /// An owned run and its epoch.
  public record Owned(String run, long epoch) {}

  /// Which runs a replica may drive now.
  public enum Admits {
    ALL,
    /// It drives a suspect already.
    NO_SUSPECTS
  }

  /// Makes `replica` the owner if the run still waits for exactly this wake-up, and stores the
  /// event of the claim, in one statement.
  public Optional<Claim> claim(String run, long wake, String replica, Admits admits) {
    return jdbc.sql(CLAIM)
        .param("run", run)
        .param("wake", wake)
        .param("replica", replica)
        .param("suspect", Suspects.DEATHS)
        .param("admits", admits == Admits.ALL)
        .param("form", StoredForm.NEWEST)
        .query(RunClaims::claim)
        .optional();
  }

  /// Whether the run still waits for this wake-up: then it was not claimed because this replica may
  /// not drive it now.
  public boolean waits(String run, long wake) {
    return jdbc.sql(
            """
            select exists (
              select from run
               where id = :run and wake = :wake and owner is null
                 and status in ('queued', 'running', 'waiting', 'interrupted', 'cancelling'))
            """)
        .param("run", run)
        .param("wake", wake)
        .query(Boolean.class)
        .single();
  }

  /// Reads a claim from what `run` returns, with the status `before`, joined with the immutable
  /// part of `run_input`.
  public static Claim claim(ResultSet row, int number) throws SQLException {
    var run = row.getString("id");
    var header =
        new RunHeader(
            run,
            BirthId.of(run, row.getObject("birth_id", UUID.class)),
            row.getString("graph"),
            row.getInt("version"),
            row.getLong("ordinal"),
            StoredJson.object(row.getString("metadata")),
            StoredJson.objectOrEmpty(row.getBytes("params")),
            Optional.ofNullable(row.getString("traceparent")));
    return new Claim(
        header,
        new Lease(run, row.getLong("lease_epoch")),
        row.getInt("takeovers"),
        RunStatus.valueOf(row.getString("before").toUpperCase(Locale.ROOT)),
        Optional.empty(),
        Optional.ofNullable(row.getString("parent_run")),
        Optional.ofNullable(row.getString("thread_id")),
        row.getString("caller"));
  }

  /// Queues everything a dead replica owned. The epoch grows here already: the replica may only
  /// have been suspended, and must not write between this and the next claim.
  ///
  /// @return the runs
  @Transactional(Pools.SCHEDULER)
  public List<String> requeueOwnedBy(String replica) {
    return schedule(
        jdbc.sql(
                """
                with lost as materialized (
                  select id from run
                   where owner = :replica and status in ('running', 'cancelling')
                   order by id for update
                )
                update run
                   set owner = null, lease_epoch = next_epoch(lease_epoch), wake = wake + 1,
                       takeovers = takeovers + 1,
                       status = case when cancel_requested_at is null
                                     then 'queued' else 'cancelling' end
                  from lost where run.id = lost.id
                returning run.id, run.wake, run.priority
                """)
            .param("replica", replica),
        clock.instant());
  }

  /// Queues one run whose driver has ended without bringing it to rest.
  @Transactional(Pools.SCHEDULER)
  public void handBack(Lease lease, Strike strike, Duration pause) {
    var at = clock.instant().plus(pause);
    schedule(
        jdbc.sql(
                """
                update run
                   set owner = null, lease_epoch = next_epoch(lease_epoch), wake = wake + 1,
                       takeovers = takeovers + :strike, wakes_at = :wakesAt::timestamptz,
                       status = case when cancel_requested_at is null
                                     then 'queued' else 'cancelling' end
                 where id = :run and lease_epoch = :epoch and owner is not null
                   and status in ('running', 'cancelling')
                returning id, wake, priority
                """)
            .param("run", lease.run())
            .param("epoch", lease.epoch())
            .param("strike", strike == Strike.COUNTS ? 1 : 0)
            .param("wakesAt", pause.isZero() ? null : at.toString()),
        at);
  }

  /// Whether handing back a run brings it nearer to `poison_run`.
  public enum Strike {
    COUNTS,
    DOES_NOT_COUNT
  }

  private List<String> schedule(JdbcClient.StatementSpec update, Instant at) {
    var wakes =
        update
            .query((row, _) ->
                new Wake(row.getString("id"), row.getLong("wake"), at, row.getInt("priority")))
            .list();
    wakeUps.schedule(wakes);
    return wakes.stream().map(Wake::run).toList();
  }

  /// The runs that `replica` owns.
  public List<Owned> ownedBy(String replica) {
    return jdbc.sql(
            """
            select id, lease_epoch from run
             where owner = :replica and status in ('running', 'cancelling')
            """)
        .param("replica", replica)
        .query((row, _) -> new Owned(row.getString(1), row.getLong(2)))
        .list();
  }

  public Set<String> owners() {
    return Set.copyOf(
        jdbc.sql(
                """
                select distinct owner from run
                 where owner is not null and status in ('running', 'cancelling')
                """)
            .query(String.class)
            .list());
  }

  /// Schedules up to `limit` runs behind `after` that have no owner and are due by now; most of
  /// them are scheduled already, some perhaps for another time.
  @Transactional(Pools.SCHEDULER)
  public Optional<String> rescheduleOverdue(@Nullable String after, int limit) {
    var wakes =
        jdbc.sql(
                """
                select id, wake, priority, coalesce(wakes_at, now()) as at from run
                 where owner is null and id > :after
                   and (status in ('queued', 'running', 'cancelling')
                        or status in ('waiting', 'interrupted') and wakes_at <= now())
                 order by id limit :limit
                """)
            .param("after", after == null ? "" : after)
            .param("limit", limit)
            .query((row, _) ->
                new Wake(
                    row.getString("id"),
                    row.getLong("wake"),
                    row.getTimestamp("at").toInstant(),
                    row.getInt("priority")))
            .list();
    wakeUps.reschedule(wakes);
    return wakes.size() < limit ? Optional.empty() : Optional.of(wakes.getLast().run());
  }
}
