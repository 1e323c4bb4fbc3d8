package dev.superstep.schedule;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.springframework.jdbc.core.simple.JdbcClient;

/// The rows of the scheduler, read and damaged for tests of other packages, which do not know its
/// tables.
public final class ScheduledRows {
  /// Wake-ups of runs in a `from`: `instance` is run and wake number, `due` and `beat` are times.
  public static final String WAKE_UPS =
      """
      (select task_instance as instance, execution_time as due, last_heartbeat as beat
         from scheduled_tasks where task_name = 'run-drive')
      """;

  /// Replicas in a `from`, with the time of their last heartbeat.
  public static final String REPLICAS =
      """
      (select task_instance as name, last_heartbeat as beat
         from scheduled_duties where task_name = 'replica')
      """;

  /// A pattern of the statements by which a replica watches itself and others.
  public static final String WATCH_STATEMENTS = "scheduled_duties";

  private final JdbcClient jdbc;

  public ScheduledRows(JdbcClient jdbc) {
    this.jdbc = jdbc;
  }

  public long wakeUps(String run) {
    return jdbc.sql("select count(*) from scheduled_tasks where task_instance like ? || '/%'")
        .param(run)
        .query(Long.class)
        .single();
  }

  /// How often the wake-up of the run was handled without an end; 0 if there is none.
  public long attempts(String run) {
    return jdbc.sql("select version from scheduled_tasks where task_instance like ? || '/%'")
        .param(run)
        .query(Long.class)
        .optional()
        .orElse(0L);
  }

  /// Lets nobody schedule a wake-up until the current transaction ends.
  public void lockWakeUps() {
    jdbc.sql("lock table scheduled_tasks in exclusive mode").update();
  }

  /// Inserts the wake-up for which the run waits.
  public void insertWakeUp(String run, Duration overdue) {
    jdbc.sql(
            """
            insert into scheduled_tasks (task_name, task_instance, execution_time, picked, version)
            select 'run-drive', concat(id, '/', wake), now() - ? * interval '1 ms', false, 1
              from run where id = ?
            """)
        .params(overdue.toMillis(), run)
        .update();
  }

  /// Inserts a living replica of a release that derives all ids from those of runs.
  public void insertReplicaOfBefore(String name) {
    jdbc.sql(
            """
            insert into scheduled_duties (task_name, task_instance, execution_time, picked,
                                          last_heartbeat, version)
            values ('replica', ?, now(), true, now() + interval '1 hour', 1)
            """)
        .param(name)
        .update();
  }

  /// Inserts an execution that is due, and of which this release knows nothing.
  void insertUnknown(String name) {
    jdbc.sql(
            """
            insert into scheduled_tasks (task_name, task_instance, execution_time, picked, version)
            values ('slice', ?, now(), false, 1)
            """)
        .param(name)
        .update();
  }

  /// Whether there is such an execution that no replica has taken.
  boolean isFree(String name) {
    return jdbc.sql("select not picked from scheduled_tasks where task_instance = ?")
        .param(name)
        .query(Boolean.class)
        .optional()
        .orElse(false);
  }

  public void deleteWakeUps(String run) {
    jdbc.sql("delete from scheduled_tasks where task_instance like ? || '/%'").param(run).update();
  }

  /// Everything that is scheduled for runs and slices.
  public List<String> scheduled() {
    return jdbc.sql("select s::text from scheduled_tasks s")
        .query((row, _) -> row.getString(1))
        .list();
  }

  /// Inserts a replica whose last heartbeat is that long ago, with a lease of its own.
  public void insertReplica(String name, Duration silence, Duration lease) {
    insertReplica(name, silence, Long.toString(lease.toMillis()));
  }

  /// Inserts a replica of a release that writes down no lease.
  public void insertReplica(String name, Duration silence) {
    insertReplica(name, silence, "");
  }

  private void insertReplica(String name, Duration silence, String leaseMs) {
    jdbc.sql(
            """
            insert into scheduled_duties (task_name, task_instance, execution_time, picked,
                                          picked_by, last_heartbeat, version, priority, lease_ms)
            values ('replica', ?, now(), true, 'gone', now() - ? * interval '1 ms', 1, 0,
                    nullif(?, '')::bigint)
            """)
        .params(name, silence.toMillis(), leaseMs)
        .update();
  }

  /// Inserts a name that no process has taken yet.
  void insertFreeName(String name) {
    jdbc.sql(
            """
            insert into scheduled_duties (task_name, task_instance, execution_time, picked, version)
            values ('replica', ?, now(), false, 1)
            """)
        .param(name)
        .update();
  }

  /// As if all replicas had been taken for dead.
  public void deleteReplicas() {
    jdbc.sql("delete from scheduled_duties where task_name = 'replica'").update();
  }

  /// As if the replica had been taken for dead.
  public void deleteReplica(String name) {
    jdbc.sql("delete from scheduled_duties where task_instance = ?").param(name).update();
  }

  public boolean isReplica(String name) {
    return jdbc.sql("select exists (select from scheduled_duties where task_instance = ?)")
        .param(name)
        .query(Boolean.class)
        .single();
  }

  /// The last heartbeat of the replica that was heard last.
  public String lastHeartbeat() {
    return jdbc.sql("select max(last_heartbeat)::text from scheduled_duties where picked")
        .query((row, _) -> String.valueOf(row.getString(1)))
        .single();
  }

  Instant heartbeat(String name) {
    return jdbc.sql("select last_heartbeat from scheduled_duties where task_instance = ?")
        .param(name)
        .query(Instant.class)
        .single();
  }

  Duration lease(String name) {
    return Duration.ofMillis(
        jdbc.sql("select lease_ms from scheduled_duties where task_instance = ?")
            .param(name)
            .query(Long.class)
            .single());
  }

  /// From now on no process gets a name, until [#acceptNames].
  public void refuseNames() {
    jdbc.sql(
            """
            create sequence refused;
            create function no_entry() returns trigger language plpgsql as
            $$ begin
              perform nextval('refused');
              return null;
            end $$;
            create trigger no_entry before insert on scheduled_duties
              for each row when (new.task_name = 'replica') execute function no_entry();
            """)
        .update();
  }

  /// How often a name was refused.
  long refusals() {
    return jdbc.sql("select last_value from refused").query(Long.class).single();
  }

  public void acceptNames() {
    jdbc.sql("drop function if exists no_entry cascade; drop sequence if exists refused").update();
  }

  /// From now on heartbeats change nothing, until [#letHeartbeatsPass].
  void stopHeartbeats() {
    jdbc.sql(
            """
            create function no_heartbeat() returns trigger language plpgsql as
            $$ begin
              new.last_heartbeat = old.last_heartbeat;
              return new;
            end $$;
            create trigger no_heartbeat before update of last_heartbeat on scheduled_duties
              for each row when (new.task_name = 'replica' and old.picked)
              execute function no_heartbeat();
            """)
        .update();
  }

  void letHeartbeatsPass() {
    jdbc.sql("drop function no_heartbeat cascade").update();
  }

  /// The next attempt to write down a lease fails; until [#acceptLeases].
  void refuseOneLease() {
    jdbc.sql(
            """
            create sequence unwritten;
            create function no_lease() returns trigger language plpgsql as
            $$ begin
              if nextval('unwritten') = 1 then
                raise exception 'not now';
              end if;
              return new;
            end $$;
            create trigger no_lease before update of lease_ms on scheduled_duties
              for each row when (new.task_name = 'replica') execute function no_lease();
            """)
        .update();
  }

  /// @return how many leases were written, the refused one included
  long acceptLeases() {
    long written = jdbc.sql("select last_value from unwritten").query(Long.class).single();
    jdbc.sql("drop function no_lease cascade; drop sequence unwritten").update();
    return written;
  }
}
