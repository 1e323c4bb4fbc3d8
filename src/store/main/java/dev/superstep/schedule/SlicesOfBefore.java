package dev.superstep.schedule;

import dev.superstep.database.Pools;
import java.time.Duration;
import java.util.List;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;

/// Slices of wide supersteps as the release before has them: in tables of their own, with an
/// execution of the scheduler for each replica that is invited. Replicas of this release execute
/// none. While such a replica drives a run, they free what dead ones have; then they clean up.
@Component
final class SlicesOfBefore {
  /// What any replica of the release before still wanted is delivered within seconds. If not, its
  /// driver asks for the slice itself.
  private static final Duration INVITATION_MAX = Duration.ofMinutes(1);

  /// What an executor has taken, and its driver counts.
  private static final String FREE =
      """
      with freed as (
        update slice set owner = null
         where owner = any(:owners) and not closed
           and not exists (select from replica where replica.name = slice.owner)
        returning run, superstep, lease_epoch
      ), counts as (
        select run, superstep, lease_epoch, count(*) as freed from freed group by 1, 2, 3
      )
      update wide_superstep wide set taken = taken - counts.freed
        from counts
       where wide.run = counts.run and wide.superstep = counts.superstep
         and wide.lease_epoch = counts.lease_epoch
      """;

  private final JdbcClient jdbc;

  SlicesOfBefore(@Qualifier(Pools.SCHEDULER) JdbcClient jdbc) {
    this.jdbc = jdbc;
  }

  /// Owners are read first: a replica is known before it owns anything.
  void reconcile() {
    var owners =
        jdbc.sql("select distinct owner from slice where owner is not null and not closed")
            .query((row, _) -> row.getString("owner"))
            .list();
    if (!owners.isEmpty()) {
      int _ = jdbc.sql(FREE).param("owners", owners.toArray(String[]::new)).update();
    }
    // Executors lock slices before what counts them.
    List.of("slice", "wide_superstep").forEach(this::sweep);
    forgetInvitations();
  }

  private void sweep(String table) {
    int _ =
        jdbc.sql(
                """
                delete from %1$s
                 where not exists (
                         select from run
                          where run.id = %1$s.run and run.lease_epoch = %1$s.lease_epoch
                            and run.superstep < %1$s.superstep
                            and run.status in ('running', 'cancelling'))
                """
                    .formatted(table))
            .update();
  }

  private void forgetInvitations() {
    int _ =
        jdbc.sql(
                """
                delete from scheduled_tasks
                 where task_name = 'slice'
                   and execution_time < clock_timestamp() - ? * interval '1 millisecond'
                """)
            .param(INVITATION_MAX.toMillis())
            .update();
  }
}
