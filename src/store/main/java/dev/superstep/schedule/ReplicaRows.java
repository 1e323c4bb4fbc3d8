package dev.superstep.schedule;

import dev.superstep.database.Pools;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.OptionalLong;
import java.util.UUID;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;

/// Reads and writes the rows of replicas in `scheduled_duties`. db-scheduler picks them, keeps
/// their heartbeat and removes them; the lease in them, and the decision based on it, are ours.
@Component
final class ReplicaRows {
  private static final int FIRST = Short.MAX_VALUE;

  private static final String SILENT =
      """
      task_name = ? and picked
      and last_heartbeat + coalesce(lease_ms, ?) * interval '1 millisecond' < clock_timestamp()
      """;

  private final JdbcClient jdbc;
  private final DatabaseClock clock;
  private final DatabaseContact contact;

  /// That of this process, which also applies to replicas whose rows have none.
  private final Duration lease;

  ReplicaRows(
      @Qualifier(Pools.WATCH) JdbcClient jdbc,
      DatabaseClock clock,
      DatabaseContact contact,
      ScheduleSettings settings) {
    this.jdbc = jdbc;
    this.clock = clock;
    this.contact = contact;
    this.lease = settings.lease();
  }

  /// A replica whose heartbeat is older than its own lease.
  record Silent(String id, Duration lease) {}

  private record HeartbeatResult(Instant at, boolean known, @Nullable Instant beat) {
    /// How old the heartbeat is; without one nobody judges the replica.
    long age() {
      return beat == null ? 0 : Math.max(0, Duration.between(beat, at).toNanos());
    }
  }

  /// The last heartbeat of the replica of this name: when it was written, or earlier, by
  /// [DatabaseClock#nanos]. Empty if the database does not have the name any more. Measures the
  /// database's clock, too.
  OptionalLong heartbeat(String id) {
    return observed(() -> check(id));
  }

  private <T> T observed(Supplier<T> statement) {
    try {
      return statement.get();
    } catch (RuntimeException e) {
      contact.failed();
      throw e;
    }
  }

  private OptionalLong check(String id) {
    long sent = clock.nanos();
    var answer =
        jdbc.sql(
                """
                select clock_timestamp() as at, task_name is not null as known,
                       last_heartbeat as beat
                  from (values (0)) as one
                  left join scheduled_duties on task_name = ? and task_instance = ?
                """)
            .params(SchedulerTasks.REPLICA, id)
            .query(HeartbeatResult.class)
            .single();
    clock.adjust(sent, answer.at());
    if (!answer.known()) {
      return OptionalLong.empty();
    }
    contact.made();
    return OptionalLong.of(sent - answer.age());
  }

  /// Makes sure that there is an execution that a process without a name can pick. Repeating it is
  /// harmless: a row that another process picks as well is inserted anew with the next call.
  void offer() {
    observed(this::insertUnlessOneIsFree);
    contact.made();
  }

  private int insertUnlessOneIsFree() {
    return jdbc.sql(
            """
            insert into scheduled_duties
                   (task_name, task_instance, execution_time, picked, version, priority)
            select ?, ?, clock_timestamp() - interval '1 second', false, 1, ?
             where not exists (
                     select from scheduled_duties
                      where task_name = ? and not picked and execution_time <= clock_timestamp())
            """)
        .params(SchedulerTasks.REPLICA, UUID.randomUUID().toString(), FIRST, SchedulerTasks.REPLICA)
        .update();
  }

  /// Stores the lease by which the replica of this name is judged, and that it derives ids from
  /// birth ids of runs and takes messages to runs.
  ///
  /// @return as [#heartbeat]
  OptionalLong setLease(String id) {
    int changed =
        jdbc.sql(
                """
                update scheduled_duties set lease_ms = ?, birth_ids = true, takes_messages = true
                 where task_name = ? and task_instance = ?
                """)
            .params(lease.toMillis(), SchedulerTasks.REPLICA, id)
            .update();
    return changed > 0 ? heartbeat(id) : OptionalLong.empty();
  }

  /// Gives the name up.
  void remove(String id) {
    jdbc.sql("delete from scheduled_duties where task_name = ? and task_instance = ?")
        .params(SchedulerTasks.REPLICA, id)
        .update();
  }

  List<Silent> silent() {
    return jdbc.sql(
            """
            select task_instance as id, coalesce(lease_ms, ?) as lease_ms from scheduled_duties
            """
                + " where "
                + SILENT)
        .params(lease.toMillis(), SchedulerTasks.REPLICA, lease.toMillis())
        .query(
            (row, _) -> new Silent(row.getString("id"), Duration.ofMillis(row.getLong("lease_ms"))))
        .list();
  }

  /// Takes the name away, unless there has been a heartbeat after all.
  void removeSilent(String id) {
    jdbc.sql("delete from scheduled_duties where " + SILENT + " and task_instance = ?")
        .params(SchedulerTasks.REPLICA, lease.toMillis(), id)
        .update();
  }
}
