package dev.superstep.run.query;

import dev.superstep.checkpoint.CheckpointRef;
import dev.superstep.checkpoint.HeadCodec;
import dev.superstep.checkpoint.row.StoredStatus;
import dev.superstep.database.OwnRows;
import dev.superstep.database.OwnRows.RowCondition;
import dev.superstep.engine.run.RunStatus;
import dev.superstep.engine.run.TaskKey;
import dev.superstep.graph.Limits;
import dev.superstep.graph.NodeId;
import dev.superstep.problem.Callers;
import dev.superstep.problem.Cursor;
import dev.superstep.run.Page;
import dev.superstep.run.RunFilter;
import dev.superstep.run.RunSummary;
import dev.superstep.run.RunSummary.Origin;
import dev.superstep.run.RunSummary.Parent;
import dev.superstep.run.RunSummary.Settings;
import dev.superstep.run.RunSummary.Standing;
import dev.superstep.run.RunSummary.Times;
import dev.superstep.run.check.LimitsInForce;
import dev.superstep.run.store.StoredJson;
import dev.superstep.state.value.Canonical;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.state.value.Value;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;

/// Reads the heads of runs.
@Component
public class RunHeads {
  /// A run that waits for a child that can proceed without input is running (C31).
  private static final String SHOWN =
      """
      case when run.status = 'waiting' and exists (
             with recursive below (id, status) as (
               select child.id, child.status
                 from child_run join run as child on child.id = child_run.child
                where child_run.parent = run.id and child_run.superstep = run.superstep + 1
               union all
               select child.id, child.status
                 from below
                 join child_run on child_run.parent = below.id
                 join run as child on child.id = child_run.child
                where below.status = 'waiting'
             )
             select from below where status in ('queued', 'running', 'cancelling'))
           then 'running' else run.status end
      """;

  private static final String SELECT =
      "select "
          + SHOWN
          + """
           as status, run.id, run.graph, run.version, run.superstep, run.checkpoint, run.error,
                 run.breakpoint, run.priority, run.thread_id, run.ordinal, run.caller, run.parent_run,
                 run.parent_checkpoint, run.from_run, run.from_checkpoint, run.created_at, run.started_at, run.finished_at, run.wakes_at,
                 run_input.limits, run_input.metadata::text as metadata, child_run.superstep as begun_in,
                 child_run.node, child_run.dispatch_id
            from run
            join run_input on run_input.run = run.id
            left join child_run on child_run.child = run.id
          """;

  private final JdbcClient jdbc;
  private final LimitsInForce limits;

  RunHeads(JdbcClient jdbc, LimitsInForce limits) {
    this.jdbc = jdbc;
    this.limits = limits;
  }

  public Optional<RunSummary> find(String id) {
    return jdbc.sql(SELECT + " where run.id = ?")
        .param(id)
        .query((row, _) -> summary(row))
        .optional();
  }

  /// The runs of a thread, newest first.
  Page<RunSummary> ofThread(String thread, Page.Request page) {
    var before = page.cursor().map(it -> Cursor.read(it, 1).number(0));
    var found =
        jdbc.sql(
                SELECT
                    + """
                     where run.thread_id = :thread and run.ordinal < :before
                     order by run.ordinal desc limit :limit
                    """)
            .param("thread", thread)
            .param("before", before.orElse(Long.MAX_VALUE))
            .param("limit", page.limit() + 1)
            .withFetchSize(Pages.FETCHED)
            .query((row, _) -> new Positioned(summary(row), row.getLong("ordinal")))
            .list();
    var cut = Pages.of(found, page.limit(), it -> List.of(Long.toString(it.ordinal())));
    return new Page<>(cut.items().stream().map(Positioned::run).toList(), cut.next());
  }

  private record Positioned(RunSummary run, long ordinal) {}

  Map<String, RunSummary> byId(String[] ids) {
    return jdbc
        .sql(SELECT + " where run.id = any(:ids)")
        .param("ids", ids)
        .withFetchSize(Pages.FETCHED)
        .query((row, _) -> summary(row))
        .list()
        .stream()
        .collect(Collectors.toMap(RunSummary::id, it -> it));
  }

  /// Newest first.
  Page<RunSummary> search(RunFilter filter, Page.Request page) {
    var conditions = new HeadConditions();
    OwnRows.only("run.id").ifPresent(it -> conditions.add(it, OwnRows.TENANT, OwnRows.tenant()));
    OwnRows.runs("run").ifPresent(conditions::add);
    filter.graph().ifPresent(it -> conditions.add("run.graph = :graph", "graph", it));
    filter.parent().ifPresent(it -> conditions.add("child_run.parent = :parent", "parent", it));
    filter.errorCode().ifPresent(it -> conditions.add("run.error_code = :code", "code", it));
    filter.thread().ifPresent(it -> conditions.add("run.thread_id = :thread", "thread", it));
    filter
        .createdAfter()
        .ifPresent(
            it -> conditions.add("run.created_at > :since::timestamptz", "since", it.toString()));
    filter
        .createdBefore()
        .ifPresent(
            it -> conditions.add("run.created_at < :until::timestamptz", "until", it.toString()));
    if (!filter.statuses().isEmpty()) {
      statuses(filter.statuses(), conditions);
    }
    if (!filter.metadata().isEmpty()) {
      var wanted = Canonical.text(object(filter.metadata()));
      conditions.add(
          "run_input.metadata <> '{}' and run_input.metadata @> :metadata::jsonb",
          "metadata",
          wanted);
    }
    page.cursor().ifPresent(it -> conditions.behind(Cursor.read(it, 2)));
    var found =
        jdbc.sql(
                SELECT
                    + conditions.where()
                    + " order by run.created_at desc, run.id desc limit :limit")
            .params(conditions.values)
            .param("limit", page.limit() + 1)
            .withFetchSize(Pages.FETCHED)
            .query((row, _) -> summary(row))
            .list();
    return Pages.of(found, page.limit(), it -> List.of(it.times().createdAt().toString(), it.id()));
  }

  private static void statuses(Set<RunStatus> wanted, HeadConditions conditions) {
    boolean running = wanted.contains(RunStatus.RUNNING);
    var stored = new HashSet<>(wanted);
    if (running) {
      stored.add(RunStatus.WAITING);
    }
    conditions.add("run.status = any(:stored::text[])", "stored", StoredStatus.words(stored));
    if (running != wanted.contains(RunStatus.WAITING)) {
      conditions.add(
          "(" + SHOWN + ") = any(:statuses::text[])", "statuses", StoredStatus.words(wanted));
    }
  }

  private static ObjectValue object(Map<String, String> metadata) {
    var members = new HashMap<String, Value>();
    metadata.forEach((key, value) -> members.put(key, Value.of(value)));
    return ObjectValue.of(members);
  }

  private RunSummary summary(ResultSet row) throws SQLException {
    var standing = standing(row);
    var own = row.getBytes("limits");
    var requested = own == null ? Limits.NONE : HeadCodec.limits(own);
    var origin = origin(row);
    var settings =
        new Settings(
            limits.of(origin.graph(), origin.version(), requested), row.getInt("priority"));
    return new RunSummary(origin, standing, settings, times(row, standing.status()));
  }

  private static Origin origin(ResultSet row) throws SQLException {
    @Nullable String parent = row.getString("parent_run");
    var parentCheckpoint = row.getInt("parent_checkpoint");
    Optional<String> task =
        row.getString("node") == null
            ? Optional.empty()
            : Optional.of(
                new TaskKey(
                        row.getInt("begun_in"),
                        new NodeId(row.getString("node")),
                        row.getString("dispatch_id"))
                    .toString());
    return new Origin(
        row.getString("id"),
        row.getString("graph"),
        row.getInt("version"),
        Optional.ofNullable(row.getString("thread_id")),
        StoredJson.texts(StoredJson.object(row.getString("metadata"))),
        Optional.ofNullable(parent).map(it -> new Parent(it, parentCheckpoint, task)),
        from(row),
        Callers.named(row.getString("caller")));
  }

  private static Optional<CheckpointRef> from(ResultSet row) throws SQLException {
    @Nullable String run = row.getString("from_run");
    return run == null
        ? Optional.empty()
        : Optional.of(new CheckpointRef(run, row.getInt("from_checkpoint")));
  }

  private static Standing standing(ResultSet row) throws SQLException {
    return new Standing(
        StoredStatus.read(row.getString("status")),
        row.getInt("superstep"),
        row.getInt("checkpoint"),
        Optional.ofNullable(row.getBytes("error")).map(HeadCodec::error),
        Optional.ofNullable(row.getBytes("breakpoint")).map(HeadCodec::breakpoint));
  }

  private static Times times(ResultSet row, RunStatus status) throws SQLException {
    var sleeps =
        switch (status) {
          case QUEUED, WAITING, INTERRUPTED -> true;
          case RUNNING, FAILED, CANCELLING, SUCCEEDED, CANCELLED -> false;
        };
    return new Times(
        time(row, "created_at").orElse(Instant.EPOCH),
        time(row, "started_at"),
        time(row, "finished_at"),
        sleeps ? time(row, "wakes_at") : Optional.empty());
  }

  static Optional<Instant> time(ResultSet row, String column) throws SQLException {
    @Nullable OffsetDateTime time = row.getObject(column, OffsetDateTime.class);
    return Optional.ofNullable(time).map(OffsetDateTime::toInstant);
  }

  private static final class HeadConditions {
    private final StringBuilder text = new StringBuilder();
    private final Map<String, Object> values = new HashMap<>();

    void add(String condition, String name, Object value) {
      text.append(text.isEmpty() ? " where " : " and ").append(condition);
      values.put(name, value);
    }

    void add(RowCondition condition) {
      text.append(text.isEmpty() ? " where " : " and ").append(condition.text());
      values.putAll(condition.parameters());
    }

    void behind(Cursor place) {
      var at = place.time(0).toString();
      add("(run.created_at, run.id) < (:at::timestamptz, :last)", "at", at);
      values.put("last", place.text(1));
    }

    String where() {
      return text.toString();
    }
  }
}
