package dev.superstep.run.store;

import dev.superstep.checkpoint.row.RunCopier;
import dev.superstep.checkpoint.row.RunEntity;
import dev.superstep.database.EntityColumns;
import jakarta.persistence.EntityManagerFactory;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;

/// Copies the runs of a thread to another, in the caller's transaction: those that have begun and
/// were not rolled back, with their checkpoints and events. A copy never goes on by itself: one of
/// a run that has not ended is cancelled where that stands.
@Component
public class ThreadCopier {
  private static final List<String> ENDED = List.of("succeeded", "failed", "cancelled");
  private final JdbcClient jdbc;
  private final RunCopier checkpoints;
  private final String runs;
  private final String inputs;

  ThreadCopier(JdbcClient jdbc, RunCopier checkpoints, EntityManagerFactory entities) {
    this.jdbc = jdbc;
    this.checkpoints = checkpoints;
    this.runs = runs(EntityColumns.of(entities, RunEntity.class));
    this.inputs = inputs(EntityColumns.of(entities, RunInputEntity.class));
  }

  private static String runs(EntityColumns columns) {
    var values = same(columns);
    values.put("id", "pair.copy");
    values.put("birth_id", RunEntity.NEW_BIRTH_ID);
    values.put("thread_id", ":thread");
    values.put("caller", ":caller");
    values.put(
        "status",
        "case when source.status = any(:ended::text[]) then source.status else 'cancelled' end");
    values.put("finished_at", "coalesce(source.finished_at, clock_timestamp())");
    values.put("parent_run", "coalesce(parent.copy, source.parent_run)");
    values.put("from_run", "coalesce(origin.copy, source.from_run)");
    List.of("owner", "wakes_at", "queued_at", "breakpoint", "pause_superstep")
        .forEach(it -> values.put(it, "null"));
    List.of("lease_epoch", "takeovers", "driver_writes").forEach(it -> values.put(it, "0"));
    values.put("reports", "0"); // nothing happens in a copy
    return """
    with pair as materialized (
      select * from unnest(:runs::text[], :copies::text[]) as pair (run, copy)
    )
    %s
      from pair
      join run as source on source.id = pair.run
      left join pair as parent on parent.run = source.parent_run
      left join pair as origin on origin.run = source.from_run
    """
        .formatted(columns.insertSelect(values));
  }

  private static String inputs(EntityColumns columns) {
    var values = same(columns);
    values.put("run", "pair.copy");
    values.put("request_hash", "null");
    values.put("webhooks", "null");
    values.put("webhook_level", "0");
    return """
    %s
      from unnest(:runs::text[], :copies::text[]) as pair (run, copy)
      join run_input as source on source.run = pair.run
    """
        .formatted(columns.insertSelect(values));
  }

  private static Map<String, String> same(EntityColumns columns) {
    var values = new HashMap<String, String>();
    columns.names().forEach(it -> values.put(it, "source." + it));
    return values;
  }

  /// A run that is copied.
  ///
  /// @param bytes of its request and checkpoints, about
  public record Copied(String run, long bytes) {}

  /// What a copy of the thread would have, at most `max` runs. They cannot be erased until the
  /// transaction ends.
  public List<Copied> list(String thread, int max) {
    return jdbc.sql(
            """
            select run.id,
                   (select coalesce(sum(length(content) + coalesce(length(snapshot), 0)), 0)
                      from checkpoint where checkpoint.run = run.id) as bytes
              from run where run.thread_id = ? and run.turn is not null
             order by run.ordinal limit ? for key share of run
            """)
        .param(thread)
        .param(max)
        .query((row, _) -> new Copied(row.getString(1), row.getLong(2)))
        .list();
  }

  /// Copies the runs, and the counter of turns as it is after they were listed: what the copy is
  /// given from now on is behind all that it has.
  ///
  /// @param copied runs of `source`
  /// @param thread that gets the copies
  public void copy(
      String source, List<Copied> copied, String thread, String caller, Supplier<String> ids) {
    jdbc.sql(
            """
            update thread set runs = source.runs
              from thread as source where source.id = :source and thread.id = :thread
            """)
        .param("source", source)
        .param("thread", thread)
        .update();
    var runIds = copied.stream().map(Copied::run).toList();
    var copies = new ArrayList<String>();
    runIds.forEach(_ -> copies.add(ids.get()));
    jdbc.sql(runs)
        .param("runs", runIds.toArray(String[]::new))
        .param("copies", copies.toArray(String[]::new))
        .param("thread", thread)
        .param("caller", caller)
        .param("ended", ENDED.toArray(String[]::new))
        .update();
    jdbc.sql(inputs)
        .param("runs", runIds.toArray(String[]::new))
        .param("copies", copies.toArray(String[]::new))
        .update();
    checkpoints.copy(runIds, copies);
  }
}
