package dev.superstep.run.query;

import dev.superstep.engine.checkpoint.CheckpointKind;
import dev.superstep.http.Cursor;
import dev.superstep.run.view.CheckpointRef;
import dev.superstep.run.view.Page;
import dev.superstep.run.view.ThreadCheckpoint;
import dev.superstep.run.view.ThreadCheckpoint.Position;
import dev.superstep.run.view.ThreadCheckpointId;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;

/// Reads the checkpoints of all runs of a thread as one list. Held ones are left out: what they
/// hold belongs to the committed one before.
@Component
class ThreadHistory {
  /// Of each run at most a page is read, from its newest checkpoint on, or from that of the page
  /// before; of runs that are younger than that, nothing. The parent of a run's first checkpoint is
  /// where the run has begun.
  private static final String LIST =
      """
      with page as materialized (
        select run.id as run, run.ordinal, run.from_run, run.from_checkpoint, committed.*
          from run
         cross join lateral (
               select number, kind, superstep, committed_at, state_hash from checkpoint
                where checkpoint.run = run.id and kind <> 'held'
                  and (committed_at, run.ordinal, number)
                        < (:at::timestamptz, :ordinal, :number)
                  and number < case when run.ordinal = :ordinal then :number else 2147483647 end
                order by number desc limit :limit) as committed
         where run.thread_id = :thread and run.turn is not null
           and run.created_at <= :at::timestamptz
         order by committed.committed_at desc, run.ordinal desc, committed.number desc
         limit :limit
      )
      select page.run, page.ordinal, page.number, page.kind, page.superstep, page.committed_at,
             encode(page.state_hash, 'hex') as state_hash, parent.run as parent_run,
             parent.ordinal as parent_ordinal, parent.number as parent_number,
             parent.committed_at as parent_committed_at
        from page
        left join lateral (
             select before.run, origin.ordinal, before.number, before.committed_at
               from checkpoint as before
               join run as origin on origin.id = before.run
              where origin.thread_id = :thread and origin.turn is not null
                and before.kind <> 'held'
                and before.run = case when page.number > 0 then page.run else page.from_run end
                and before.number
                      <= case when page.number > 0 then page.number - 1
                              else page.from_checkpoint end
              order by before.number desc limit 1) as parent on true
       order by page.committed_at desc, page.ordinal desc, page.number desc
      """;

  private final JdbcClient jdbc;

  ThreadHistory(JdbcClient jdbc) {
    this.jdbc = jdbc;
  }

  /// Newest first.
  Page<ThreadCheckpoint> list(String thread, Page.Request page) {
    var place = page.cursor().map(it -> Cursor.read(it, 3));
    var found =
        jdbc.sql(LIST)
            .param("thread", thread)
            .param("at", place.map(it -> it.time(0).toString()).orElse("infinity"))
            .param("ordinal", place.map(it -> it.number(1)).orElse(Long.MAX_VALUE))
            .param("number", place.map(it -> it.integer(2)).orElse(Integer.MAX_VALUE))
            .param("limit", page.limit() + 1)
            .query((row, _) -> checkpoint(row))
            .list();
    return Pages.of(found, page.limit(), it -> place(it.position().id()));
  }

  private static List<String> place(ThreadCheckpointId id) {
    return List.of(id.at().toString(), Long.toString(id.ordinal()), Integer.toString(id.number()));
  }

  private static ThreadCheckpoint checkpoint(ResultSet row) throws SQLException {
    return new ThreadCheckpoint(
        position(row, ""),
        CheckpointKind.valueOf(row.getString("kind").toUpperCase(Locale.ROOT)),
        row.getInt("superstep"),
        row.getString("state_hash"),
        row.getString("parent_run") == null
            ? Optional.empty()
            : Optional.of(position(row, "parent_")));
  }

  private static Position position(ResultSet row, String prefix) throws SQLException {
    int number = row.getInt(prefix + "number");
    var id =
        new ThreadCheckpointId(
            RunHeads.time(row, prefix + "committed_at").orElse(Instant.EPOCH),
            row.getLong(prefix + "ordinal"),
            number);
    return new Position(id, new CheckpointRef(row.getString(prefix + "run"), number));
  }
}
