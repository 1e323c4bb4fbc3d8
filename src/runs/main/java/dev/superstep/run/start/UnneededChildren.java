package dev.superstep.run.start;

import dev.superstep.database.Pools;
import dev.superstep.run.drive.LocalRuns;
import dev.superstep.schedule.DatabaseClock;
import dev.superstep.schedule.Wake;
import dev.superstep.schedule.WakeUps;
import java.util.List;
import java.util.Optional;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/// Cancels child runs that their parent does not need any more (E54), on the connection of the
/// parent's write: their drivers are told, and those without one are woken to end.
@Component
class UnneededChildren {
  private static final String CANCEL =
      """
      with recursive tree as (
        select child, depth from child_run
         where child = any(:children::text[]) and parent = :parent
        union all
        select below.child, below.depth
          from tree join child_run as below on below.parent = tree.child
      ), active as materialized (
        select run.id, run.owner from run join tree on tree.child = run.id
         where run.status in ('queued', 'running', 'waiting', 'interrupted')
           and run.cancel_requested_at is null
         order by tree.depth, run.id for update of run
      ), noted as (
        insert into news (replica, run)
        select owner, id from active where owner is not null
            on conflict do nothing
      )
      update run
         set cancel_requested_at = clock_timestamp(),
             status = 'cancelling',
             wake = run.wake + case when active.owner is null then 1 else 0 end,
             wakes_at = case when active.owner is null then null else run.wakes_at end
        from active where run.id = active.id
      returning run.id, run.wake, run.priority, active.owner is null as waits
      """;

  private final JdbcClient jdbc;
  private final LocalRuns localRuns;
  private final WakeUps wakeUps;
  private final DatabaseClock clock;

  UnneededChildren(
      @Qualifier(Pools.ENGINE) JdbcClient jdbc,
      LocalRuns localRuns,
      WakeUps wakeUps,
      DatabaseClock clock) {
    this.jdbc = jdbc;
    this.localRuns = localRuns;
    this.wakeUps = wakeUps;
    this.clock = clock;
  }

  /// @param wake empty: it has a driver
  private record CalledOff(String run, Optional<Wake> wake) {}

  /// The transaction holds the lock of the parent.
  void cancel(String parent, List<String> children) {
    var now = clock.instant();
    var calledOff =
        jdbc.sql(CANCEL)
            .param("children", children.toArray(String[]::new))
            .param("parent", parent)
            .query((row, _) -> {
              var wake =
                  new Wake(row.getString("id"), row.getLong("wake"), now, row.getShort("priority"));
              return new CalledOff(
                  wake.run(), row.getBoolean("waits") ? Optional.of(wake) : Optional.empty());
            })
            .list();
    wakeUps.schedule(calledOff.stream().flatMap(it -> it.wake().stream()).toList());
    TransactionSynchronizationManager.registerSynchronization(
        new TransactionSynchronization() {
          @Override
          public void afterCommit() {
            calledOff.forEach(it -> localRuns.nudge(it.run()));
          }
        });
  }
}
