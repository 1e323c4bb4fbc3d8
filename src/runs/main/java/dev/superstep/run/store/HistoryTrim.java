package dev.superstep.run.store;

import java.util.List;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;
import org.springframework.transaction.support.TransactionOperations;

/// Cuts the history of runs that have ended for good: checkpoints before the last ones, with the
/// tasks and events in them, and events of their own before those.
///
/// Checkpoints are differences to a snapshot. The snapshot on which the first kept checkpoint is
/// based stays, with what follows it; and so does the checkpoint that says what was pending there.
/// Rows go as a whole and none is written anew, so that readers need no lock: each reads a chain of
/// checkpoints in one statement.
@Component
class HistoryTrim {
  private final JdbcClient jdbc;
  private final TransactionOperations transaction;

  HistoryTrim(JdbcClient jdbc, TransactionOperations transaction) {
    this.jdbc = jdbc;
    this.transaction = transaction;
  }

  /// @param checkpoints the last ones that stay
  /// @return how many checkpoints were purged
  int trim(List<String> runs, int checkpoints) {
    return transaction.execute(_ -> {
      var locked = lock(runs);
      jdbc.sql(
              FLOORS
                  + """
                  delete from run_event using floor
                   where run_event.run = floor.run and run_event.seq < floor.first_event
                  """)
          .param("runs", locked)
          .param("checkpoints", checkpoints)
          .update();
      return jdbc.sql(FLOORS + DELETE)
          .param("runs", locked)
          .param("checkpoints", checkpoints)
          .query(Integer.class)
          .single();
    });
  }

  /// Before their rows, as everybody else does; those that are being erased need no trimming.
  private String[] lock(List<String> runs) {
    return jdbc.sql(
            """
            select id from run where id = any(:runs)
             order by id for no key update skip locked
            """)
        .param("runs", runs.toArray(String[]::new))
        .query(String.class)
        .list()
        .toArray(String[]::new);
  }

  /// The first checkpoint of each run that stays.
  private static final String FLOORS =
      """
      with floor as (
        select run.id as run, planned.number, planned.first_event
          from run
          join checkpoint as kept
            on kept.run = run.id and kept.number = greatest(run.checkpoint - :checkpoints + 1, 0)
         cross join lateral (
               select number, first_event from checkpoint
                where checkpoint.run = run.id and checkpoint.number <= kept.base
                  and checkpoint.kind <> 'held'
                order by number desc limit 1) as planned
         where run.id = any(:runs) and run.status in ('succeeded', 'cancelled')
           and planned.number > 0
      )
      """;

  /// What the first one that stays is linked to is kept, so that it can be verified. What is
  /// counted as stored by a caller is counted without them from now on.
  private static final String DELETE =
      """
      , deleted as (
        delete from checkpoint using floor
         where checkpoint.run = floor.run and checkpoint.number < floor.number
        returning checkpoint.run, 100 + pg_column_size(content) + pg_column_size(events)
                                  + coalesce(pg_column_size(snapshot), 0) as bytes
      ), counted as (
        update stored_size set appended = greatest(appended - freed.bytes, 0)
          from (select run, sum(bytes) as bytes from deleted group by run) as freed
         where stored_size.run = freed.run
      )
      , dropped as (
        delete from task_step using floor
          join checkpoint as first on first.run = floor.run and first.number = floor.number
         where task_step.run = floor.run and task_step.superstep <= first.superstep
      )
      , forgotten as (
        update run_message set value = convert_to('null', 'UTF8') from floor
         where run_message.run = floor.run and run_message.checkpoint < floor.number
      )
      , linked as (
        update run set trimmed_to = last.number,
                       trimmed_link = coalesce(last.link, '') || int4send(last.number)
          from floor join checkpoint as last
                       on last.run = floor.run and last.number = floor.number - 1
         where run.id = floor.run
      )
      select count(*) from deleted
      """;
}
