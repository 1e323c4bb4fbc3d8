package dev.superstep.checkpoint.row;

import dev.superstep.database.Pools;
import dev.superstep.engine.checkpoint.TaskRecord;
import dev.superstep.engine.run.Lease;
import java.util.Collection;
import java.util.List;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;

/// Opens and closes interrupts in the transaction of a driver's write, which has locked the run: no
/// API call and no other driver changes an interrupt of the run meanwhile.
@Component
class InterruptWrites {
  private static final String CLOSE =
      """
      update interrupt set status = :how, closed_at = clock_timestamp()
       where run = :run and status = 'open'
      """;

  private final JdbcClient jdbc;
  private final String open;

  InterruptWrites(@Qualifier(Pools.ENGINE) JdbcClient jdbc, InterruptColumns columns) {
    this.jdbc = jdbc;
    this.open =
        "with head as (select id, graph from run where id = :run)%n%s".formatted(columns.open());
  }

  /// Opens the interrupts of these tasks that are not open.
  public void open(String run, Collection<TaskRecord> records) {
    var raised = InterruptColumns.raised(records);
    if (!raised.isEmpty()) {
      InterruptColumns.bind(jdbc.sql(open), raised).param("run", run).update();
    }
  }

  /// Closes those of a run that is cancelled.
  public void cancel(String run) {
    jdbc.sql(CLOSE).param("how", "cancelled").param("run", run).update();
  }

  /// Closes interrupts that are still open. It waits for an API call that answers one at the same
  /// time; that answer counts.
  ///
  /// @param how `expired` or `cancelled`
  public void close(Lease lease, List<String> ids, String how) {
    boolean fenced =
        jdbc.sql("select id from run where id = ? and lease_epoch = ? for no key update")
            .params(lease.run(), lease.epoch())
            .query(String.class)
            .optional()
            .isPresent();
    if (fenced) {
      jdbc.sql(CLOSE + " and id = any(:ids::text[])")
          .param("how", how)
          .param("run", lease.run())
          .param("ids", ids.toArray(String[]::new))
          .update();
    }
  }
}
