package dev.superstep.langgraph.run;

import dev.superstep.compute.RequestWork;
import dev.superstep.langgraph.OnLangGraph;
import dev.superstep.run.RunQueries;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.core.simple.JdbcClient.StatementSpec;
import org.springframework.stereotype.Component;

/// Finds what of a thread is to be written next.
@Component
@OnLangGraph
class ThreadParts {
  private static final Set<String> BEGINS = Set.of("superstep.committed", "run.resumed");
  private static final int PAGE = 500;

  private final JdbcClient jdbc;
  private final RunQueries queries;

  ThreadParts(JdbcClient jdbc, RunQueries queries) {
    this.jdbc = jdbc;
    this.queries = queries;
  }

  /// A run.
  ///
  /// @param ordinal its place in the thread
  /// @param end the `seq` of its last event
  record ThreadPart(String run, long ordinal, long end) {}

  /// Where a reader of a thread is: behind this event of the run with this ordinal.
  record Position(String thread, long ordinal, long seq) {}

  /// The threads in which there is something behind these positions.
  List<String> haveRunsBehind(List<Position> positions) {
    return jdbc.sql(
            """
            select thread
              from unnest(:threads::text[], :ordinals::bigint[], :seqs::bigint[])
                   as position (thread, ordinal, seq)
             where exists (
               select from run
                where run.thread_id = position.thread and run.ordinal >= position.ordinal
                  and run.event_seq
                      > case when run.ordinal = position.ordinal then position.seq else 0 end)
            """)
        .param("threads", positions.stream().map(Position::thread).toArray(String[]::new))
        .param("ordinals", positions.stream().map(Position::ordinal).toArray(Long[]::new))
        .param("seqs", positions.stream().map(Position::seq).toArray(Long[]::new))
        .query((row, _) -> row.getString(1))
        .list();
  }

  /// The first run that has events behind this one of the run with this ordinal.
  Optional<ThreadPart> behind(String thread, long ordinal, long seq) {
    return part(
        jdbc.sql(
                """
                select id, ordinal, event_seq from run
                 where thread_id = :thread and ordinal >= :ordinal
                   and event_seq > case when ordinal = :ordinal then :seq else 0 end
                 order by ordinal limit 1
                """)
            .param("thread", thread)
            .param("ordinal", ordinal)
            .param("seq", seq));
  }

  Optional<ThreadPart> newest(String thread) {
    return newestUpTo(thread, Long.MAX_VALUE);
  }

  /// The newest run whose ordinal is at most this.
  Optional<ThreadPart> newestUpTo(String thread, long ordinal) {
    return part(
        jdbc.sql(
                """
                select id, ordinal, event_seq from run
                 where thread_id = :thread and ordinal <= :ordinal and event_seq > 0
                 order by ordinal desc limit 1
                """)
            .param("thread", thread)
            .param("ordinal", ordinal));
  }

  /// The history in which the database is.
  int era() {
    return queries.era();
  }

  /// The last event of a run up to this one behind which a superstep begins; 0: none.
  long superstep(String run, long seq) {
    long last = 0;
    long before = -1;
    var piece = RequestWork.current().piece();
    while (last > before) {
      before = last;
      piece.next();
      for (var event : queries.events(run, last, BEGINS, PAGE)) {
        long at = event.seq().orElse(0L);
        if (at > seq) {
          return last;
        }
        last = at;
      }
    }
    return last;
  }

  private static Optional<ThreadPart> part(StatementSpec statement) {
    return statement
        .query((row, _) -> new ThreadPart(row.getString(1), row.getLong(2), row.getLong(3)))
        .optional();
  }
}
