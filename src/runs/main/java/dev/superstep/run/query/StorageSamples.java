package dev.superstep.run.query;

import dev.superstep.database.OwnRows;
import dev.superstep.run.StorageReports;
import dev.superstep.run.StorageView;
import dev.superstep.run.StorageView.GraphStorage;
import dev.superstep.tenant.Tenant;
import java.util.List;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;
import org.springframework.transaction.annotation.Transactional;

/// Reckons what is stored from the heads of some runs, and from the size of the last checkpoints of
/// each of these.
@Component
class StorageSamples implements StorageReports {
  /// Pages of the table of runs that are read: some two thousand runs.
  private static final double PAGES = 100;

  private static final int GRAPHS_MAX = 1_000;

  private static final String TOTAL =
      """
      select sum(pg_total_relation_size(name::regclass))
        from unnest(array['run', 'run_input', 'run_event', 'checkpoint', 'recorded_task',
                          'interrupt', 'resolution', 'child_run', 'thread', 'stored_size',
                          'tool_call_count', 'made_call', 'call_lineage', 'wide_superstep', 'slice',
                          'task_step', 'run_message']) as name
      """;

  private static final String PAGE_COUNT =
      "select pg_relation_size('run') / current_setting('block_size')::bigint";

  /// Checkpoints have numbers without gaps, and a trimmed run lacks the first ones.
  private static final String SAMPLE =
      """
      with sampled as (
        select id, graph, finished_at, checkpoint, event_seq from run tablesample system (:percent)
         where (:tenant = '' or tenant_of(id) = :tenant)
           and (:reached = '' or graph ~ :reached)
      ), measured as (
        select sampled.graph, sampled.finished_at is null as active,
               coalesce(sampled.checkpoint - oldest.number + 1, 0) as checkpoints,
               greatest(sampled.event_seq - coalesce(oldest.first_event, 1) + 1, 0) as events,
               500 + coalesce(request.bytes, 0)
               + coalesce((sampled.checkpoint - oldest.number + 1) * newest.bytes, 0) as bytes
          from sampled
          left join lateral (
               select number, first_event from checkpoint
                where run = sampled.id order by number limit 1) as oldest on true
          left join lateral (
               select pg_column_size(input) + coalesce(pg_column_size(context), 0)
                      + pg_column_size(metadata) as bytes
                 from run_input where run = sampled.id) as request on true
          left join lateral (
               select avg(bytes) as bytes
                 from (select 100 + pg_column_size(content) + pg_column_size(events)
                              + coalesce(pg_column_size(snapshot), 0) as bytes
                         from checkpoint
                        where run = sampled.id order by number desc limit 5) as last) as newest
               on true
      )
      select graph, count(*) as runs, count(*) filter (where active) as active,
             sum(checkpoints) as checkpoints, sum(events) as events, sum(bytes) as bytes
        from measured group by graph order by bytes desc, graph limit :graphs
      """;

  private final JdbcClient jdbc;

  StorageSamples(JdbcClient jdbc) {
    this.jdbc = jdbc;
  }

  @Override
  @Transactional(readOnly = true)
  public StorageView report() {
    long pages = jdbc.sql(PAGE_COUNT).query(Long.class).single();
    double part = pages <= PAGES ? 1 : PAGES / pages;
    var found = sample(part);
    long read = found.stream().mapToLong(GraphStorage::runs).sum();
    var graphs = found.stream().map(it -> scaled(it, part)).toList();
    return new StorageView(part < 1, read, total(graphs), graphs);
  }

  /// Of all tables; what one of several tenants, or a limited caller sees is the sum of its graphs.
  private long total(List<GraphStorage> graphs) {
    return Tenant.ofRequest().isEmpty() && OwnRows.graphs().isEmpty()
        ? jdbc.sql(TOTAL).query(Long.class).single()
        : graphs.stream().mapToLong(GraphStorage::bytes).sum();
  }

  private List<GraphStorage> sample(double part) {
    return jdbc.sql(SAMPLE)
        .param("percent", part * 100)
        .param("graphs", GRAPHS_MAX)
        .param(OwnRows.TENANT, OwnRows.tenant())
        .param("reached", OwnRows.graphs())
        .query((row, _) ->
            new GraphStorage(
                row.getString("graph"),
                row.getLong("runs"),
                row.getLong("active"),
                row.getLong("checkpoints"),
                row.getLong("events"),
                row.getLong("bytes")))
        .list();
  }

  private static GraphStorage scaled(GraphStorage read, double part) {
    return new GraphStorage(
        read.graph(),
        Math.round(read.runs() / part),
        Math.round(read.active() / part),
        Math.round(read.checkpoints() / part),
        Math.round(read.events() / part),
        Math.round(read.bytes() / part));
  }
}
