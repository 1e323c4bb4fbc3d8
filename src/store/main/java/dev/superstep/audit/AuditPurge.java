package dev.superstep.audit;

import dev.superstep.database.Pools;
import java.time.Duration;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionOperations;
import org.springframework.transaction.support.TransactionTemplate;

/// Deletes events that were kept for long enough, of all tenants, by whole seals: the last one of
/// them stays without its events, so that the next can be verified.
@Component
class AuditPurge {
  private static final int SEALS = 200;
  private static final int EVENTS = 2 * AuditSealer.BATCH;
  private static final int BATCHES_MAX = 100;

  /// Seals whose newest event is old, with none before them that stays.
  private static final String DELETE =
      """
      with old as materialized (
        select tenant, number, through_id,
               sum(octet_length(events) / 48) over (order by newest_at, number) as events
          from (select * from audit_seal
                 where events is not null
                   and newest_at < clock_timestamp() - make_interval(secs => :keep)
                 order by newest_at, number limit :seals) as seal
         where not exists (select from audit_seal as lower
                            where lower.tenant = seal.tenant and lower.number < seal.number
                              and lower.events is not null
                              and lower.newest_at >= clock_timestamp() - make_interval(secs => :keep))
      ), gone as (
        select tenant, max(number) as number, max(through_id) as through_id
          from old
         where events <= :events
         group by tenant
      ), deleted as (
        delete from audit_event using gone
         where audit_event.tenant = gone.tenant and audit_event.id <= gone.through_id
      ), forgotten as (
        delete from audit_seal using gone
         where audit_seal.tenant = gone.tenant and audit_seal.number < gone.number
      ), kept as (
        update audit_seal set events = null
          from gone
         where audit_seal.tenant = gone.tenant and audit_seal.number = gone.number
        returning 1
      )
      select count(*) from kept
      """;

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
      if (transaction.execute(_ -> deleteSome(keep)) == 0) {
        return;
      }
    }
  }

  /// Only a transaction that says so may delete.
  ///
  /// @return seals
  private int deleteSome(Duration keep) {
    var _ =
        jdbc.sql("select set_config('superstep.audit_retention', 'on', true)")
            .query(String.class)
            .single();
    return jdbc.sql(DELETE)
        .param("keep", keep.toMillis() / 1000.0)
        .param("seals", SEALS)
        .param("events", EVENTS)
        .query(Integer.class)
        .single();
  }
}
