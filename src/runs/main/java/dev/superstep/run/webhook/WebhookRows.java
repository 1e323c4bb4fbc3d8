package dev.superstep.run.webhook;

import dev.superstep.database.Pools;
import dev.superstep.tenant.Tenant;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Types;
import java.time.Duration;
import java.time.OffsetDateTime;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;

/// Writes and reads webhooks, in the caller's transaction.
@Component
class WebhookRows {
  /// Whoever makes deliveries shares it: a webhook that is made has either not been there for an
  /// event, which was then before it, or is seen.
  private static final String LOCK =
      "select pg_advisory_xact_lock%s(3604791655 # " + Pools.SCHEMA_KEY + ")";

  /// Those that have ended meanwhile are found by their graph.
  private static final String CATCH_UP =
      """
      with subscriber as (
        select * from webhook where id = :id and url is not null
      ), found as materialized (
        select run.id, subscriber.level, subscriber.applies_from
          from subscriber join run on tenant_of(run.id) = subscriber.tenant
         where run.status in ('enqueued', 'queued', 'running', 'waiting', 'interrupted',
                              'cancelling')
           and run.reports < subscriber.level and (subscriber.graphs = '{}' or run.graph = any(subscriber.graphs))
           and not exists (select from child_run where child = run.id)
        union all
        select run.id, subscriber.level, subscriber.applies_from
          from subscriber join graph on tenant_of(graph.name) = subscriber.tenant
               join run on run.graph = graph.name
         where run.status in ('succeeded', 'failed', 'cancelled') and run.finished_at >= subscriber.applies_from
           and run.reports < subscriber.level and (subscriber.graphs = '{}' or run.graph = any(subscriber.graphs))
           and not exists (select from child_run where child = run.id)
         limit :max
      ), locked as materialized (
        select run.id from run where run.id in (select id from found) order by run.id
           for no key update
      ), marked as (
        update run set reports = greatest(run.reports, found.level)
          from found, locked where run.id = found.id and run.id = locked.id
        returning run.id, run.event_seq, found.applies_from,
                  run.finished_at is null or run.finished_at >= found.applies_from as is_new
      ), written as (
        insert into run_report (run, after_seq, through_seq)
        select id,
               coalesce((select last_event from checkpoint
                          where checkpoint.run = marked.id
                            and checkpoint.committed_at < marked.applies_from
                          order by number desc limit 1), 0),
               event_seq
          from marked where event_seq > 0 and is_new
        on conflict (run, through_seq)
        do update set after_seq = least(run_report.after_seq, excluded.after_seq)
      )
      select count(*) from found
      """;

  private final JdbcClient jdbc;

  WebhookRows(JdbcClient jdbc) {
    this.jdbc = jdbc;
  }

  /// No webhook is made until the transaction ends.
  void holdAll() {
    jdbc.sql(LOCK.formatted("_shared")).query((_, _) -> "").single();
  }

  /// @return false if the tenant has as many as it may have
  boolean insert(Webhook webhook, byte[] signing, int max) {
    jdbc.sql(LOCK.formatted("")).query((_, _) -> "").single();
    return jdbc.sql(
                """
                insert into webhook (id, tenant, url, events, graphs, description, signing,
                                     applies_from)
                select :id, :tenant, :url, :events, :graphs, :description, :signing,
                       clock_timestamp()
                 where (select count(*) from webhook where tenant = :tenant) < :max
                """)
            .param("id", webhook.id())
            .param("tenant", webhook.tenant().name())
            .param("url", webhook.url().orElse(null), Types.VARCHAR)
            .param("events", new TreeSet<>(webhook.events()).toArray(String[]::new))
            .param("graphs", webhook.graphs().toArray(String[]::new))
            .param("description", webhook.description())
            .param("signing", signing)
            .param("max", max)
            .update()
        == 1;
  }

  /// Those of a tenant, newest first.
  List<Webhook> list(Tenant tenant) {
    return jdbc.sql("select * from webhook where tenant = ? order by id desc")
        .param(tenant.name())
        .query((row, _) -> webhook(row))
        .list();
  }

  Optional<Webhook> find(Tenant tenant, String id) {
    return jdbc.sql("select * from webhook where tenant = ? and id = ?")
        .params(tenant.name(), id)
        .query((row, _) -> webhook(row))
        .optional();
  }

  /// What is given changes.
  boolean update(
      Webhook webhook, @Nullable String url, @Nullable String text, @Nullable Boolean paused) {
    return jdbc.sql(
                """
                update webhook
                   set url = coalesce(:url, url), description = coalesce(:text, description),
                       paused = coalesce(:paused, paused),
                       resumed_at = case when paused and not :paused then clock_timestamp()
                                         else resumed_at end,
                       paused_because = case when :paused is null then paused_because end
                 where tenant = :tenant and id = :id
                """)
            .param("url", url, Types.VARCHAR)
            .param("text", text, Types.VARCHAR)
            .param("paused", paused, Types.BOOLEAN)
            .param("tenant", webhook.tenant().name())
            .param("id", webhook.id())
            .update()
        == 1;
  }

  /// @return false if there is no such webhook, or its last rotation still overlaps and this one
  ///   would
  boolean rotate(Webhook webhook, byte[] signing, Duration overlap) {
    return jdbc.sql(
                """
                update webhook
                   set previous_signing = signing, signing = :signing,
                       previous_ends_at = clock_timestamp() + :overlap * interval '1 ms'
                 where tenant = :tenant and id = :id
                   and (previous_ends_at is null or previous_ends_at <= clock_timestamp()
                        or :overlap = 0)
                """)
            .param("signing", signing)
            .param("overlap", overlap.toMillis())
            .param("tenant", webhook.tenant().name())
            .param("id", webhook.id())
            .update()
        == 1;
  }

  boolean delete(Webhook webhook) {
    return jdbc.sql("delete from webhook where tenant = ? and id = ?")
            .params(webhook.tenant().name(), webhook.id())
            .update()
        == 1;
  }

  /// Unless it has moved meanwhile.
  ///
  /// @return false if it is for URLs that runs name: one says nothing about the others
  boolean pause(String id, String url, String because) {
    return jdbc.sql(
                """
                update webhook
                   set paused = paused or url = :url,
                       paused_because = case when url = :url and not paused then :because
                                             else paused_because end
                 where id = :id and url is not null
                """)
            .param("url", url)
            .param("because", because)
            .param("id", id)
            .update()
        == 1;
  }

  /// What the secrets of a webhook are made of, the newest first; empty: there is no such webhook.
  List<byte[]> signing(String id) {
    return jdbc.sql(
            """
            select signing, case when previous_ends_at > clock_timestamp() then previous_signing end
                     as previous
              from webhook where id = ?
            """)
        .param(id)
        .query((row, _) -> {
          byte @Nullable [] previous = row.getBytes("previous");
          return previous == null
              ? List.of(row.getBytes("signing"))
              : List.of(row.getBytes("signing"), previous);
        })
        .optional()
        .orElse(List.of());
  }

  /// Marks runs that had begun before an insert of a run saw the webhook, as many as are given, and
  /// has what happened in them since be looked at.
  ///
  /// @return how many were found
  int catchUp(String id, int max) {
    return jdbc.sql(CATCH_UP).param("id", id).param("max", max).query(Integer.class).single();
  }

  /// Webhooks that runs may not know yet.
  ///
  /// @param settled how long after it was made every insert of a run sees a webhook
  List<WebhookCatchUp> catchUps(Duration settled) {
    return jdbc.sql(
            """
            select id, applies_from < clock_timestamp() - ? * interval '1 ms' as settled
              from webhook where not caught_up
            """)
        .param(settled.toMillis())
        .query((row, _) -> new WebhookCatchUp(row.getString("id"), row.getBoolean("settled")))
        .list();
  }

  /// @param settled whether no run begins any more that does not know it
  record WebhookCatchUp(String webhook, boolean settled) {}

  void caughtUp(String id) {
    jdbc.sql("update webhook set caught_up = true where id = ?").param(id).update();
  }

  private static Webhook webhook(ResultSet row) throws SQLException {
    return new Webhook(
        row.getString("id"),
        new Tenant(row.getString("tenant")),
        Optional.ofNullable(row.getString("url")),
        Set.copyOf(texts(row, "events")),
        texts(row, "graphs"),
        row.getString("description"),
        row.getBoolean("paused"),
        Optional.ofNullable(row.getString("paused_because")),
        row.getObject("applies_from", OffsetDateTime.class).toInstant(),
        Optional.ofNullable(row.getObject("previous_ends_at", OffsetDateTime.class))
            .map(OffsetDateTime::toInstant));
  }

  private static List<String> texts(ResultSet row, String column) throws SQLException {
    return Arrays.asList((String[]) row.getArray(column).getArray());
  }
}
