package dev.superstep.audit;

import dev.superstep.database.Pools;
import java.util.HashSet;
import java.util.Set;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionOperations;
import org.springframework.transaction.support.TransactionTemplate;

/// Seals events when the transactions that have written them have ended, each tenant's behind one
/// another. Transactions take ids, and end, in any order: events are sealed up to an id when all
/// have ended that were writing while it was the greatest, so that none can come before it.
@Component
class AuditSealer {
  /// Events of a seal at most.
  static final int BATCH = 1_000;

  private static final int BATCHES_MAX = 1_000;

  private static final String LOCK =
      "select 1 from pg_advisory_xact_lock(hashtextextended('audit-seal', 0) # "
          + Pools.SCHEMA_KEY
          + ")";

  /// The index has the tenants behind one another.
  private static final String TENANTS =
      """
      with recursive tenants (name) as (
        (select tenant from audit_event order by tenant limit 1)
        union all
        select (select tenant from audit_event where tenant > tenants.name order by tenant limit 1)
          from tenants where name is not null
      )
      """;

  private static final String NEWEST =
      TENANTS
          + """
          select coalesce(max(newest.id), 0)
            from tenants
           cross join lateral (
                 select max(id) as id from audit_event where tenant = tenants.name) as newest
          """;

  /// Writers hold this lock from before they take an id until they end.
  private static final String WRITERS =
      """
      select virtualtransaction from pg_locks
       where locktype = 'relation' and relation = 'audit_event'::regclass
         and database = (select oid from pg_database where datname = current_database())
         and mode = 'RowExclusiveLock'
      """;

  private static final String SEAL =
      TENANTS
          + """
          , batches as (
            select tenants.name, coalesce(last.number, 0) + 1 as number,
                   coalesce(last.hash, ''::bytea) as previous, clock_timestamp() as sealed_at,
                   batch.*
              from tenants
             cross join audit_sealed
              left join lateral (
                   select number, hash, through_id from audit_seal where tenant = tenants.name
                    order by number desc limit 1) as last on true
             cross join lateral (
                   select max(id) filter (where not beyond) as through_id,
                          max(at) filter (where not beyond) as newest_at,
                          string_agg(digest, ''::bytea order by id) filter (where not beyond) as events,
                          count(*) = :batch or bool_or(beyond) as rest
                     from (select id, at, digest, bool_or(apart) over (order by id) as beyond
                             from (select id, at, audit_digest(stored) as digest,
                                          at - first_value(at) over (order by id)
                                            not between interval '-1 day' and interval '1 day' as apart
                                     from audit_event as stored
                                    where tenant = tenants.name and id <= :through
                                      and id > greatest(last.through_id, audit_sealed.through_id)
                                    order by id limit :batch) as unsealed) as days) as batch
             where batch.through_id is not null
          ), sealed as (
            insert into audit_seal (tenant, number, through_id, newest_at, sealed_at, previous,
                                    events, events_hash, hash)
            select name, number, through_id, newest_at, sealed_at, previous, events, sha256(events),
                   audit_seal_hash(name, number, through_id, newest_at, sealed_at, previous,
                                   sha256(events))
              from batches
          )
          select coalesce(bool_or(rest), false) from batches
          """;

  private final JdbcClient jdbc;
  private final TransactionOperations transaction;
  private final Set<String> waitsFor = new HashSet<>();
  private long through;

  AuditSealer(
      @Qualifier(Pools.SCHEDULER) JdbcClient jdbc,
      @Qualifier(Pools.SCHEDULER) PlatformTransactionManager transactions) {
    this.jdbc = jdbc;
    this.transaction = new TransactionTemplate(transactions);
  }

  /// Seals what can be. Replicas may do it at once.
  synchronized void takeTurn() {
    waitsFor.retainAll(writers());
    if (!waitsFor.isEmpty()) {
      return;
    }
    seal();
    through = jdbc.sql(NEWEST).query(Long.class).single();
    waitsFor.addAll(writers());
    if (waitsFor.isEmpty()) {
      seal();
    }
  }

  private Set<String> writers() {
    return new HashSet<>(jdbc.sql(WRITERS).query(String.class).list());
  }

  private void seal() {
    boolean rest = true;
    for (int batch = 0; rest && batch < BATCHES_MAX; batch++) {
      rest = transaction.execute(_ -> sealSome());
    }
  }

  /// One seal of each tenant that has events, of a day at most: retention deletes whole seals.
  ///
  /// @return whether there is more
  private boolean sealSome() {
    var _ = jdbc.sql(LOCK).query(Integer.class).single();
    boolean rest =
        jdbc.sql(SEAL)
            .param("through", through)
            .param("batch", BATCH)
            .query(Boolean.class)
            .single();
    if (!rest) {
      int _ =
          jdbc.sql("update audit_sealed set through_id = :through where through_id < :through")
              .param("through", through)
              .update();
    }
    return rest;
  }
}
