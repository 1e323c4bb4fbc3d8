package dev.superstep.run.store;

import java.time.Duration;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;

/// Purges threads that a call has made or described, which have no run any more or never had one.
/// It looks at a page of threads at a time, the oldest first, and begins anew behind the last: a
/// thread that has runs is passed.
@Component
class IdleThreads {
  private static final int PAGE = 1_000;

  private static final OffsetDateTime START =
      OffsetDateTime.of(1970, 1, 1, 0, 0, 0, 0, ZoneOffset.UTC);

  private final JdbcClient jdbc;
  private OffsetDateTime after = START;
  private String last = "";

  IdleThreads(JdbcClient jdbc) {
    this.jdbc = jdbc;
  }

  private record IdleThread(OffsetDateTime at, String id, int count) {}

  /// @param idle how long ago they were made and described, at least
  void purge(Duration idle) {
    var seen = page(idle);
    if (seen.count() < PAGE) {
      after = START;
      last = "";
    } else {
      after = seen.at();
      last = seen.id();
    }
  }

  /// Skips what is locked: a run is started in it. Of one that got a run since the statement began,
  /// the run's reference keeps it: the statement fails, and the next round repeats it.
  private IdleThread page(Duration idle) {
    return jdbc.sql(
            """
            with page as (
              select id, created_at from thread
               where (created_at, id) > (:after, :last)
                 and created_at < clock_timestamp() - make_interval(secs => :idle)
               order by created_at, id limit :limit
            ), idle as (
              select thread.id from thread
                join page on page.id = thread.id
               where thread.kept
                 and coalesce(thread.described_at, thread.created_at)
                       < clock_timestamp() - make_interval(secs => :idle)
                 and not exists (select from run where thread_id = thread.id)
                 for update of thread skip locked
            ), deleted as (
              delete from thread using idle where thread.id = idle.id
            )
            select count(*) as count, max(created_at) as at,
                   (select id from page order by created_at desc, id desc limit 1) as id
              from page
            """)
        .param("after", after)
        .param("last", last)
        .param("idle", idle.toMillis() / 1000.0)
        .param("limit", PAGE)
        .query((row, _) ->
            new IdleThread(
                row.getObject("at", OffsetDateTime.class),
                row.getString("id"),
                row.getInt("count")))
        .single();
  }
}
