package dev.superstep.run.query;

import dev.superstep.database.OwnRows;
import dev.superstep.problem.Cursor;
import dev.superstep.run.Page;
import dev.superstep.run.RunSummary;
import dev.superstep.run.ThreadFilter;
import dev.superstep.run.ThreadOrder;
import dev.superstep.run.ThreadStatus;
import dev.superstep.run.ThreadSummary;
import dev.superstep.run.store.StoredJson;
import dev.superstep.state.value.Canonical;
import dev.superstep.state.value.ObjectValue;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;

/// Reads the rows of threads, with what their runs say about them.
@Component
class ThreadHeads {
  /// `last` is the newest run, `head` the one whose state the thread has, `active` the one that has
  /// the thread. Each is one probe of an index. A run behind the head that has failed without a
  /// turn could not begin.
  private static final String SELECT =
      """
      select *
        from (
          select thread.id, thread.created_at, thread.metadata, last.id as run,
                 greatest(thread.created_at, thread.described_at, last.created_at,
                          last.started_at, last.finished_at, head.started_at, head.finished_at)
                   as updated_at,
                 case when active.status = 'interrupted' then 'interrupted'
                      when active.status is not null
                           or exists (select from run where run.thread_id = thread.id
                                         and run.status = 'enqueued') then 'busy'
                      when head.status = 'failed'
                           or last.status = 'failed' and last.turn is null
                              and last.ordinal > coalesce(head.turn, -1) then 'error'
                      when head.status = 'cancelled' then 'interrupted'
                      else 'idle' end as status
            from thread
            left join lateral (
              select * from run where run.thread_id = thread.id
               order by ordinal desc limit 1) as last on true
            left join lateral (
              select * from run where run.thread_id = thread.id and turn is not null
               order by turn desc limit 1) as head on true
            left join lateral (
              select status from run where run.thread_id = thread.id
                 and status in ('queued', 'running', 'waiting', 'interrupted', 'cancelling')
               limit 1) as active on true
           where %s
        ) as thread
      """;

  private final JdbcClient jdbc;
  private final RunHeads runs;
  private final ListComparison comparison;

  ThreadHeads(JdbcClient jdbc, RunHeads runs) {
    this.jdbc = jdbc;
    this.comparison = new ListComparison(jdbc);
    this.runs = runs;
  }

  private record HeadRow(
      String id,
      Instant createdAt,
      Instant updatedAt,
      ThreadStatus status,
      ObjectValue metadata,
      @Nullable String run) {

    static HeadRow of(ResultSet row) throws SQLException {
      return new HeadRow(
          row.getString("id"),
          RunHeads.time(row, "created_at").orElse(Instant.EPOCH),
          RunHeads.time(row, "updated_at").orElse(Instant.EPOCH),
          ThreadStatus.valueOf(row.getString("status").toUpperCase(Locale.ROOT)),
          StoredJson.object(row.getString("metadata")),
          row.getString("run"));
    }

    ThreadSummary summary(Map<String, RunSummary> runs) {
      return new ThreadSummary(
          id,
          createdAt,
          updatedAt,
          status,
          metadata,
          run == null ? Optional.empty() : Optional.ofNullable(runs.get(run)));
    }
  }

  Optional<ThreadSummary> find(String id) {
    return summaries(
            jdbc.sql(SELECT.formatted("thread.id = ?"))
                .param(id)
                .query((row, _) -> HeadRow.of(row))
                .list())
        .stream()
        .findFirst();
  }

  Optional<ObjectValue> metadata(String id) {
    return jdbc.sql("select metadata from thread where id = ?")
        .param(id)
        .query((row, _) -> StoredJson.object(row.getString(1)))
        .optional();
  }

  /// Newest first.
  Page<ThreadSummary> search(ThreadFilter filter, Page.Request page) {
    var values = new HashMap<String, Object>();
    var conditions = conditions(filter, page, values);
    var search =
        jdbc.sql(
                SELECT.formatted(conditions)
                    + outer(filter, values)
                    + " order by created_at desc, id desc limit :limit")
            .params(values)
            .param("limit", page.limit() + 1);
    var found = rows(filter, search);
    return Pages.of(
        summaries(found), page.limit(), it -> List.of(it.createdAt().toString(), it.id()));
  }

  List<ThreadSummary> list(ThreadFilter filter, ThreadOrder order, int offset, int limit) {
    var values = new HashMap<String, Object>();
    var conditions = conditions(filter, Page.Request.first(limit), values);
    var search =
        jdbc.sql(
                SELECT.formatted(conditions)
                    + outer(filter, values)
                    + " order by %s limit :limit offset :offset".formatted(text(order)))
            .params(values)
            .param("limit", limit)
            .param("offset", offset);
    return summaries(rows(filter, search));
  }

  private List<HeadRow> rows(ThreadFilter filter, JdbcClient.StatementSpec search) {
    return comparison.within(
        filter.metadata(),
        deadline ->
            search
                .withFetchSize(Pages.FETCHED)
                .query((row, _) -> {
                  deadline.check();
                  return HeadRow.of(row);
                })
                .list());
  }

  /// At most `max`.
  long count(ThreadFilter filter, int max) {
    var values = new HashMap<String, Object>();
    var conditions = conditions(filter, Page.Request.first(1), values);
    var outer = outer(filter, values);
    var select =
        filter.statuses().isEmpty() && !filter.started()
            ? "select 1 from thread where " + conditions
            : SELECT.formatted(conditions) + outer;
    var search =
        jdbc.sql("select count(*) from (%s limit :max) as counted".formatted(select))
            .params(values)
            .param("max", max)
            .query(Long.class);
    return comparison.within(filter.metadata(), _ -> search.single());
  }

  private static String outer(ThreadFilter filter, Map<String, Object> values) {
    if (filter.statuses().isEmpty()) {
      return "";
    }
    values.put("statuses", words(filter.statuses()));
    return "where status = any(:statuses::text[])";
  }

  private static String text(ThreadOrder order) {
    var by =
        switch (order.by()) {
          case ID -> "";
          case STATUS -> "status %s, ";
          case CREATED_AT -> "created_at %s, ";
          case UPDATED_AT -> "updated_at %s, ";
        };
    var direction =
        switch (order.direction()) {
          case ASCENDING -> "asc";
          case DESCENDING -> "desc";
        };
    return (by + "id %s").replace("%s", direction);
  }

  private static String conditions(
      ThreadFilter filter, Page.Request page, Map<String, Object> values) {
    var text = new StringBuilder("(thread.created_at, thread.id) < (:at::timestamptz, :last)");
    var place = page.cursor().map(it -> Cursor.read(it, 2));
    values.put("at", place.map(it -> it.time(0).toString()).orElse("infinity"));
    values.put("last", place.map(it -> it.text(1)).orElse(""));
    OwnRows.only("thread.id").ifPresent(it -> text.append(" and ").append(it));
    values.put(OwnRows.TENANT, OwnRows.tenant());
    OwnRows.threads("thread")
        .ifPresent(it -> {
          text.append(" and ").append(it.text());
          values.putAll(it.parameters());
        });
    if (filter.started()) {
      text.append(" and last.id is not null");
    }
    if (!filter.ids().isEmpty()) {
      text.append(" and thread.id = any(:ids::text[])");
      values.put("ids", filter.ids().toArray(String[]::new));
    }
    if (!filter.metadata().isEmpty()) {
      text.append(" and thread.metadata <> '{}' and thread.metadata::jsonb @> :metadata::jsonb");
      values.put("metadata", Canonical.text(filter.metadata().contained()));
    }
    if (!filter.statuses().isEmpty() && !filter.statuses().contains(ThreadStatus.IDLE)) {
      text.append(
          """
           and exists (select from run where run.thread_id = thread.id
                          and run.status = any(:candidates::text[]))
          """);
      values.put("candidates", candidates(filter.statuses()));
    }
    return text.toString();
  }

  private static String[] words(Set<ThreadStatus> statuses) {
    return statuses.stream().map(ThreadStatus::apiName).toArray(String[]::new);
  }

  /// Statuses of which a thread in one of these has a run: those are few, and found by an index.
  private static String[] candidates(Set<ThreadStatus> statuses) {
    var stored = new TreeSet<String>();
    statuses.forEach(it ->
        stored.addAll(
            switch (it) {
              case IDLE -> List.<String>of();
              case BUSY -> List.of("enqueued", "queued", "running", "waiting", "cancelling");
              case INTERRUPTED -> List.of("interrupted", "cancelled");
              case ERROR -> List.of("failed");
            }));
    return stored.toArray(String[]::new);
  }

  private List<ThreadSummary> summaries(List<HeadRow> rows) {
    var ids = rows.stream().flatMap(it -> Stream.ofNullable(it.run())).toArray(String[]::new);
    var last = ids.length == 0 ? Map.<String, RunSummary>of() : runs.byId(ids);
    return rows.stream().map(it -> it.summary(last)).toList();
  }
}
