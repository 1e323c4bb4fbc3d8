package dev.superstep.audit;

import dev.superstep.database.Pools;
import java.time.Duration;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionOperations;
import org.springframework.transaction.support.TransactionTemplate;

/// Deletes events that were kept for long enough, of all tenants.
@Component
class AuditPurge {
  private static final int BATCH = 1_000;
  private static final int BATCHES_MAX = 100;

  private final JdbcClient jdbc;
  private final TransactionOperations transaction;

  AuditPurge(
      @Qualifier(Pools.SCHEDULER) JdbcClient jdbc,
      @Qualifier(Pools.SCHEDULER) PlatformTransactionManager transactions) {
    this.jdbc = jdbc;
    this.transaction = new TransactionTemplate(transactions);
  }

  /// Deletes some batches, each in a transaction of its own.
  void purge(Duration keep) {
    for (int batch = 0; batch < BATCHES_MAX; batch++) {
      if (transaction.execute(_ -> deleteSome(keep)) < BATCH) {
        return;
      }
    }
  }

  /// Only a transaction that says so may delete.
  private int deleteSome(Duration keep) {
    var _ =
        jdbc.sql("select set_config('superstep.audit_retention', 'on', true)")
            .query(String.class)
            .single();
    return jdbc.sql(
            """
            delete from audit_event
             where (at, id) in (select at, id from audit_event
                                 where at < clock_timestamp() - make_interval(secs => :keep)
                                 order by at, id limit :batch)
            """)
        .param("keep", keep.toMillis() / 1000.0)
        .param("batch", BATCH)
        .update();
  }
}
