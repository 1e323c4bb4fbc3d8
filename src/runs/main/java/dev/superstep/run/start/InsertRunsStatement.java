package dev.superstep.run.start;

import dev.superstep.audit.AuditLog;
import dev.superstep.checkpoint.CheckpointRef;
import dev.superstep.checkpoint.row.CheckpointArrays;
import dev.superstep.checkpoint.row.CheckpointWriter;
import dev.superstep.checkpoint.row.EncodedCommit;
import dev.superstep.checkpoint.row.RunEntity;
import dev.superstep.database.EntityColumns;
import dev.superstep.database.GivenColumns;
import dev.superstep.database.GivenColumns.Column;
import dev.superstep.database.GivenColumns.SqlType;
import dev.superstep.database.Pools;
import dev.superstep.definition.GraphRegistry.Shown;
import dev.superstep.engine.run.RunHead;
import dev.superstep.run.CompanionRows;
import dev.superstep.run.start.NewRun.AuditedInsert;
import dev.superstep.run.start.NewRun.EarlyStart;
import dev.superstep.run.start.NewRun.Inserted;
import dev.superstep.run.store.RunInputEntity;
import dev.superstep.state.value.Canonical;
import jakarta.persistence.EntityManagerFactory;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Function;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.stereotype.Component;

/// The one statement that inserts runs: heads, requests, checkpoints and events, and what is
/// recorded of runs that a call has made. Its two texts, with and without that record, never change
/// while the process lives, so that the server keeps their plans, and its parameters are arrays,
/// one per column. A run that has started before is inserted as its driver has left it.
@Component
class InsertRunsStatement {
  public static final int FIRST_WAKE = 1;

  private static final String INSERT_AUDIT =
      """
      , inserted_audit as (
        %s
        select audit_tenant, audit_caller, audit_credential, audit_address, audit_action, 'run',
               substr(id, strpos(id, '/') + 1)
          from given where audit_action is not null
      )
      """
          .formatted(AuditLog.INSERT);

  private final JdbcTemplate jdbc;
  private final JdbcTemplate engineJdbc;
  private final CheckpointWriter checkpoints;
  private final String sql;
  private final String recordedSql;
  private volatile @Nullable Inserted last;

  InsertRunsStatement(
      JdbcTemplate jdbc,
      @Qualifier(Pools.ENGINE) DataSource engineJdbc,
      EntityManagerFactory entities,
      CheckpointWriter checkpoints,
      Optional<CompanionRows> companions) {
    this.jdbc = jdbc;
    this.engineJdbc = new JdbcTemplate(engineJdbc);
    this.checkpoints = checkpoints;
    this.sql = sql(entities, checkpoints, companions, Columns.ALL, "");
    this.recordedSql = sql(entities, checkpoints, companions, Columns.WITH_RECORD, INSERT_AUDIT);
  }

  /// Whom a run tells of itself beside these, a trigger adds.
  private static final String REPORTS =
      """
      case when given.webhook_level < 0 then 0
           else coalesce((select max(webhook.level) from webhook
                           where webhook.tenant = tenant_of(given.id) and webhook.url is not null
                             and (webhook.graphs = '{}' or given.graph = any(webhook.graphs))), 0)
           end
      """;

  private static String sql(
      EntityManagerFactory entities,
      CheckpointWriter checkpoints,
      Optional<CompanionRows> companions,
      GivenColumns<NewRun> given,
      String record) {
    return """
    with stamp as materialized (
      select clock_timestamp() as at, owner,
             case when owner is null then 0 else next_epoch(0) end as epoch,
             every_replica_reads_birth_ids() as birth_ids
        from (values (?::text)) as driver (owner)
    ), given as materialized (
      select given.*,
             case when birth_ids then coalesce(early_birth_id::uuid, gen_random_uuid()) end
               as birth_id,
             coalesce(early_at::timestamptz, stamp.at) as created,
             greatest(stamp.at, behind::timestamptz) as at
        from stamp, %s
       where (owner is null or exists (select from replica where name = owner))
         and (shown_above is null
              or (select hidden_through = shown_above and newest = shown_newest
                    from graph where name = given.graph))
         and (early_epoch is null
              or (early_epoch = epoch and birth_ids = (early_birth_id is not null)))
         and (companion is null or (%s))
    ), inserted_run as (
      %s
        from stamp, given
    ), inserted_input as (
      %s
        from given
    ), inserted_checkpoint as (
      %s
    )%s%s select place, given.created, epoch, birth_id, given.at from stamp, given
    """
        .formatted(
            Columns.given(given),
            companions.map(CompanionRows::condition).orElse("false"),
            EntityColumns.of(entities, RunEntity.class).insertSelect(head()),
            EntityColumns.of(entities, RunInputEntity.class).insertSelect(request()),
            checkpoints.insertFirst(),
            record,
            companions.map(InsertRunsStatement::insertCompanions).orElse(""));
  }

  private static String insertCompanions(CompanionRows companions) {
    return ", inserted_companion as (%n%s)".formatted(companions.insert());
  }

  private static Map<String, String> head() {
    var values = new HashMap<String, String>();
    Stream.of("takeovers", "driver_writes", "answers").forEach(it -> values.put(it, "0"));
    Stream.of("released_through", "passed_superstep").forEach(it -> values.put(it, "-1"));
    Stream.of("passed_after", "passed_before", "edited").forEach(it -> values.put(it, "false"));
    Stream.of(
            "queued_at",
            "cancel_requested_at",
            "breakpoint",
            "pause_superstep",
            "error",
            "error_code",
            "trimmed_to",
            "trimmed_link")
        .forEach(it -> values.put(it, "null"));
    values.put("birth_id", "birth_id");
    values.put("form", "1");
    values.put("reports", REPORTS);
    values.put(
        "status",
        "case when owner is null then 'queued' when ended then 'succeeded' else 'running' end");
    values.put("event_seq", "event_count");
    values.put("lease_epoch", "epoch");
    values.put("owner", "case when not ended then owner end");
    values.put("finished_at", "case when ended then given.at end");
    values.put("wake", Integer.toString(FIRST_WAKE));
    values.put("wakes_at", "wakes_at::timestamptz");
    values.put("turn", "case when thread_id is not null then ordinal end");
    values.put("created_at", "given.created");
    values.put("started_at", "case when owner is not null then given.created end");
    return Columns.head(values);
  }

  private static Map<String, String> request() {
    return Columns.request(Map.of("run", "id", "metadata", "metadata::jsonb", "continues", "null"));
  }

  /// Inserts all or none, and sets the result of each insert that took place. None takes place if
  /// the owner is no member of the cluster.
  ///
  /// @param owner who drives them from the start; empty: they are queued
  void execute(Optional<String> owner, List<NewRun> newRuns) {
    execute(jdbc, owner, newRuns);
  }

  /// Inserts the runs in the transaction of a driver, the parent's.
  public void executeWithParent(Optional<String> owner, List<NewRun> newRuns) {
    execute(engineJdbc, owner, newRuns);
  }

  private void execute(JdbcTemplate jdbc, Optional<String> owner, List<NewRun> newRuns) {
    var rows = new CheckpointArrays();
    var events = new int[newRuns.size()];
    for (int i = 0; i < events.length; i++) {
      var newRun = newRuns.get(i);
      var encoded = newRun.encoded(owner);
      rows.add(i + 1, encoded);
      events[i] = encoded.stream().mapToInt(EncodedCommit::eventCount).sum();
      if (owner.isPresent()) {
        checkpoints.driven(newRun.id(), encoded.getLast().checkpoint());
      }
    }
    boolean recorded = newRuns.stream().anyMatch(it -> it.audited().isPresent());
    var columns = recorded ? Columns.WITH_RECORD : Columns.ALL;
    jdbc.query(
        recorded ? recordedSql : sql,
        statement -> {
          statement.setString(1, owner.orElse(null));
          statement.setObject(2, events);
          rows.bind(statement, columns.bind(statement, 3, newRuns));
        },
        (ResultSet found) -> inserted(found, owner, newRuns));
  }

  private void inserted(ResultSet found, Optional<String> owner, List<NewRun> newRuns)
      throws SQLException {
    var result =
        new Inserted(
            found.getObject(2, OffsetDateTime.class).toInstant(),
            found.getLong(3),
            found.getObject(4, UUID.class),
            found.getObject(5, OffsetDateTime.class).toInstant());
    if (owner.isPresent()) {
      last = result;
    }
    newRuns.get(found.getInt(1) - 1).inserted(result);
  }

  /// What the last run was given that this process has inserted for itself: the next one is given
  /// an equal epoch, unless the database has another history since.
  Optional<Inserted> last() {
    return Optional.ofNullable(last);
  }

  /// What the statement that inserts runs is given of their heads and requests: arrays, one per
  /// column of its common table expression `given`.
  private static final class Columns {
    private static final List<Column<NewRun>> HEAD =
        List.of(
            new Column<>("id", SqlType.TEXT, it -> it.id()),
            new Column<>("graph", SqlType.TEXT, it -> it.origin().graph()),
            new Column<>("version", SqlType.INTEGER, it -> it.origin().version()),
            new Column<>(
                "checkpoint",
                SqlType.INTEGER,
                it -> it.first().after().number() + it.commits().size()),
            new Column<>(
                "superstep",
                SqlType.INTEGER,
                it -> it.head().map(RunHead::superstep).orElse(it.first().after().superstep())),
            new Column<>(
                "elapsed_ms",
                SqlType.BIGINT,
                it -> it.head().map(head -> head.elapsed().toMillis()).orElse(0L)),
            new Column<>("priority", SqlType.SMALLINT, it -> it.origin().priority()),
            new Column<>("thread_id", SqlType.TEXT, it -> it.origin().threadId()),
            new Column<>("ordinal", SqlType.BIGINT, it -> it.origin().ordinal()),
            new Column<>("parent_run", SqlType.TEXT, it -> it.origin().parentRun()),
            new Column<>(
                "parent_checkpoint", SqlType.INTEGER, it -> it.origin().parentCheckpoint()),
            new Column<>(
                "from_run", SqlType.TEXT, it -> it.from().map(CheckpointRef::run).orElse(null)),
            new Column<>(
                "from_checkpoint",
                SqlType.INTEGER,
                it -> it.from().map(CheckpointRef::checkpoint).orElse(null)),
            new Column<>("caller", SqlType.TEXT, it -> it.origin().caller()));

    private static final List<Column<NewRun>> REQUEST =
        List.of(
            new Column<>("input", SqlType.BYTES, it -> it.request().input()),
            new Column<>("context", SqlType.BYTES, it -> it.request().context()),
            new Column<>("limits", SqlType.BYTES, it -> it.request().limitsBytes()),
            new Column<>("breakpoints", SqlType.BYTES, it -> it.request().breakpointsBytes()),
            new Column<>("params", SqlType.BYTES, it -> it.request().paramsBytes()),
            new Column<>("edit", SqlType.BYTES, it -> it.request().editBytes()),
            new Column<>("request_hash", SqlType.BYTES, it -> it.request().requestHash()),
            new Column<>("webhooks", SqlType.BYTES, it -> it.request().webhooksBytes()),
            new Column<>("webhook_level", SqlType.SMALLINT, it -> it.request().webhookLevel()),
            new Column<>(
                "traceparent", SqlType.TEXT, it -> it.request().traceparent().orElse(null)));

    /// Columns that are computed or cast on their way.
    private static final List<Column<NewRun>> OTHER =
        List.of(
            new Column<>(
                "wakes_at", SqlType.TEXT, it -> it.startAt().map(Instant::toString).orElse(null)),
            new Column<>("metadata", SqlType.TEXT, it -> Canonical.text(it.header().metadata())),
            new Column<>(
                "companion", SqlType.TEXT, it -> it.companion().map(Canonical::text).orElse(null)),
            new Column<>(
                "ended",
                SqlType.BOOLEAN,
                it -> it.head().map(head -> !head.status().active()).orElse(false)),
            new Column<>(
                "shown_above",
                SqlType.INTEGER,
                it -> it.remembered().map(Shown::above).orElse(null)),
            new Column<>(
                "shown_newest",
                SqlType.INTEGER,
                it -> it.remembered().map(Shown::newest).orElse(null)),
            new Column<>(
                "early_at",
                SqlType.TEXT,
                it -> it.earlyStart().map(earlyStart -> earlyStart.at().toString()).orElse(null)),
            new Column<>(
                "behind",
                SqlType.TEXT,
                it ->
                    it.earlyStart().map(earlyStart -> earlyStart.behind().toString()).orElse(null)),
            new Column<>(
                "early_epoch",
                SqlType.BIGINT,
                it -> it.earlyStart().map(EarlyStart::epoch).orElse(null)),
            new Column<>(
                "early_birth_id",
                SqlType.TEXT,
                it -> it.earlyStart().map(EarlyStart::birthId).map(UUID::toString).orElse(null)));

    /// Of the row that is inserted beside a run that a call has made.
    private static final List<Column<NewRun>> AUDIT =
        List.of(
            audited("audit_tenant", it -> it.caller().tenant().name()),
            audited("audit_caller", it -> it.caller().id().orElse(null)),
            audited("audit_credential", it -> it.caller().credential().text()),
            audited("audit_address", it -> it.caller().address().orElse(null)),
            audited("audit_action", it -> it.action().text()));

    private static Column<NewRun> audited(
        String name, Function<AuditedInsert, @Nullable String> value) {
      return new Column<>(
          name,
          SqlType.TEXT,
          it -> it.audited().isEmpty() ? null : value.apply(it.audited().get()));
    }

    static final GivenColumns<NewRun> ALL = columns(List.of(HEAD, REQUEST, OTHER));
    static final GivenColumns<NewRun> WITH_RECORD = columns(List.of(HEAD, REQUEST, OTHER, AUDIT));

    private Columns() {}

    private static GivenColumns<NewRun> columns(List<List<Column<NewRun>>> parts) {
      return new GivenColumns<>(parts.stream().flatMap(List::stream).toList());
    }

    /// `unnest (…) with ordinality as given (…)`, with the `place` of each run from 1: the
    /// parameters behind the first.
    static String given(GivenColumns<NewRun> columns) {
      return "unnest(?, %s) with ordinality as given (event_count, %s, place)"
          .formatted(columns.arrays(), columns.names());
    }

    /// Values of the columns of `run`: as given, besides `others`.
    static Map<String, String> head(Map<String, String> others) {
      return values(HEAD, others);
    }

    /// Values of the columns of `run_input`.
    static Map<String, String> request(Map<String, String> others) {
      return values(REQUEST, others);
    }

    private static Map<String, String> values(
        List<Column<NewRun>> given, Map<String, String> others) {
      var values = new HashMap<>(others);
      given.forEach(it -> values.put(it.name(), it.name()));
      return values;
    }
  }
}
