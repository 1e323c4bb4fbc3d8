package dev.superstep.fault;

import dev.superstep.fault.TimedCalls.Call;
import java.sql.Timestamp;
import java.time.Instant;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.springframework.dao.DataAccessException;
import org.springframework.jdbc.core.simple.JdbcClient;

/// The outcomes of calls that the database has at this moment, whatever the replicas know of it.
final class Outcomes {
  private static final int CONNECTIONS = 4;

  private final Supplier<JdbcClient> jdbc;
  private final Semaphore connections = new Semaphore(CONNECTIONS);
  private final AtomicInteger unanswered = new AtomicInteger();

  /// @param jdbc connects past all proxies
  Outcomes(Supplier<JdbcClient> jdbc) {
    this.jdbc = jdbc;
  }

  /// Whether the outcome of a call that is under way was committed when the call began. False, and
  /// counted, if the database is away.
  ///
  /// Compares the time of the statement that wrote it, which is shortly before its commit. Nothing
  /// falls between the two: whoever calls again has claimed the run, or the slice, and since that
  /// claim the fence lets no outcome of anybody else in.
  boolean had(Call call, Instant began) {
    connections.acquireUninterruptibly();
    try {
      return find(call, began);
    } catch (DataAccessException _) {
      unanswered.incrementAndGet();
      return false;
    } finally {
      connections.release();
    }
  }

  private boolean find(Call call, Instant began) {
    return jdbc.get()
        .sql(
            """
            select exists (
                     select from recorded_task
                      where run = :run and superstep = :superstep and task = :task
                        and recorded_at < :began)
                or exists (
                     select from checkpoint c,
                            jsonb_array_elements(convert_from(c.content, 'UTF8')::jsonb -> 't') task
                      where c.run = :run and c.superstep = :superstep
                        and c.kind in ('step', 'final') and c.committed_at < :began
                        and concat_ws(':', task ->> 'n', task ->> 'd') = :task)
            """)
        .param("run", call.run())
        .param("superstep", call.superstep())
        .param("task", call.task())
        .param("began", Timestamp.from(began))
        .query(Boolean.class)
        .single();
  }

  /// Questions that the database did not answer.
  int unanswered() {
    return unanswered.get();
  }

  /// How many outcomes of nodes named `work…` there are.
  int count() {
    return jdbc.get()
        .sql(
            """
            select count(*) from (
              select c.run, c.superstep, concat_ws(':', task ->> 'n', task ->> 'd') as task
                from checkpoint c,
                     jsonb_array_elements(convert_from(c.content, 'UTF8')::jsonb -> 't') task
               where c.kind in ('step', 'final') and task ->> 'n' like 'work%'
               union
              select run, superstep, task from recorded_task where task like 'work%') known
            """)
        .query(Integer.class)
        .single();
  }
}
