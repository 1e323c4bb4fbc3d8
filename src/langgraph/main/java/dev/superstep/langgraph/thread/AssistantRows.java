package dev.superstep.langgraph.thread;

import dev.superstep.compute.RequestWork;
import dev.superstep.compute.StoredValues;
import dev.superstep.database.OwnRows;
import dev.superstep.definition.GraphRegistry.Listed;
import dev.superstep.definition.GraphRegistry.Shown;
import dev.superstep.langgraph.AssistantIds;
import dev.superstep.langgraph.OnLangGraph;
import dev.superstep.langgraph.thread.Assistant.AssistantContent;
import dev.superstep.langgraph.thread.Assistant.AssistantTimes;
import dev.superstep.langgraph.thread.Assistant.Head;
import dev.superstep.langgraph.thread.Assistant.VersionKey;
import dev.superstep.langgraph.thread.Assistants.StartableAssistant;
import dev.superstep.run.check.CallerQuotas;
import dev.superstep.state.value.Canonical;
import dev.superstep.state.value.ObjectValue;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Timestamp;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.core.simple.JdbcClient.StatementSpec;
import org.springframework.stereotype.Component;

/// Reads and writes the rows of assistants and their versions.
@Component
@OnLangGraph
class AssistantRows {
  private static final String SELECT =
      """
      select assistant.id, shown.version, shown.graph, shown.name, shown.description, shown.config,
             shown.context, shown.metadata, assistant.created_at, shown.created_at as updated_at
        from assistant
        join assistant_version as shown on shown.assistant = assistant.id
      """;

  /// What tells the version `shown` of an assistant from all others: its number may be used again,
  /// if the assistant is deleted and made once more.
  private static final String STATE =
      "shown.version || ' ' || extract(epoch from shown.created_at)";

  private static final String STARTABLE =
      """
      select assistant.id, shown.version, shown.graph, shown.name, shown.description, shown.config,
             shown.context, shown.metadata, assistant.created_at, shown.created_at as updated_at,
             %s as state, graph.newest, graph.hidden_through
        from assistant
        join assistant_version as shown
          on shown.assistant = assistant.id and shown.version = assistant.version
        left join graph on graph.name = shown.graph and graph.newest > graph.hidden_through
       where assistant.id = ?
      """
          .formatted(STATE);

  private static final String OF_GRAPH =
      """
      select assistant.id, shown.version, shown.graph, shown.name, shown.description, shown.config,
             shown.context, shown.metadata, assistant.created_at, shown.created_at as updated_at,
             coalesce(%s, '') as state, graph.newest, graph.hidden_through,
             coalesce(first.created_at, last.created_at) as first_at, last.created_at as last_at
        from graph
        join graph_version as last on last.graph = graph.name and last.version = graph.newest
        left join graph_version as first
          on first.graph = graph.name and first.version = graph.hidden_through + 1
        left join (
               assistant join assistant_version as shown
                 on shown.assistant = assistant.id and shown.version = assistant.version)
          on assistant.id = ?
       where graph.name = ? and graph.newest > graph.hidden_through
      """
          .formatted(STATE);

  private static final String HEADS =
      """
      select assistant.id, shown.version, shown.graph, shown.name, assistant.created_at,
             shown.created_at as updated_at
        from assistant
        join assistant_version as shown on shown.assistant = assistant.id
      """;

  private static final String THESE =
      """
       where (shown.assistant, shown.version)
               in (select * from unnest(:ids::text[], :versions::int[]))
      """;

  /// Of a head, without its name.
  private static final long HEAD_BYTES = 300;

  private final JdbcClient jdbc;
  private final CallerQuotas quotas;

  AssistantRows(JdbcClient jdbc, CallerQuotas quotas) {
    this.jdbc = jdbc;
    this.quotas = quotas;
  }

  Optional<Assistant> find(String id) {
    return jdbc.sql(SELECT + " where assistant.id = ? and shown.version = assistant.version")
        .param(id)
        .query((row, _) -> assistant(row))
        .optional();
  }

  Optional<Assistant> find(String id, int version) {
    return jdbc.sql(SELECT + " where assistant.id = ? and shown.version = ?")
        .param(id)
        .param(version)
        .query((row, _) -> assistant(row))
        .optional();
  }

  /// SQL: [StartableAssistant#state] of the assistant with this id, as it is now.
  ///
  /// @param id SQL expression
  static String stateOf(String id) {
    return """
    coalesce((select %s
                from assistant
                join assistant_version as shown
                  on shown.assistant = assistant.id and shown.version = assistant.version
               where assistant.id = %s), '')
    """
        .formatted(STATE, id);
  }

  Optional<StartableAssistant> startable(String id) {
    return jdbc.sql(STARTABLE)
        .param(id)
        .query(
            (row, _) -> new StartableAssistant(assistant(row), shown(row), row.getString("state")))
        .optional();
  }

  /// Of the graph in the row; empty if it cannot be started.
  private static Optional<Shown> shown(ResultSet row) throws SQLException {
    int newest = row.getInt("newest");
    return newest == 0
        ? Optional.empty()
        : Optional.of(new Shown(row.getInt("hidden_through"), newest));
  }

  /// As it is stored, else as the graph is by itself; empty: there is no such graph that can be
  /// started.
  Optional<StartableAssistant> ofGraph(String graph) {
    return jdbc.sql(OF_GRAPH)
        .params(AssistantIds.ofGraph(graph), graph)
        .query((row, _) -> startable(graph, row))
        .optional();
  }

  private static StartableAssistant startable(String graph, ResultSet row) throws SQLException {
    var assistant =
        row.getString("id") == null
            ? Assistant.of(
                new Listed(
                    graph, row.getInt("newest"), time(row, "first_at"), time(row, "last_at")))
            : assistant(row);
    return new StartableAssistant(
        assistant, shown(row).filter(_ -> assistant.graph().equals(graph)), row.getString("state"));
  }

  /// Those of all assistants, as they are.
  List<Head> heads() {
    long names =
        jdbc.sql(
                """
                select coalesce(sum(octet_length(shown.name)), 0)
                  from assistant
                  join assistant_version as shown
                    on shown.assistant = assistant.id and shown.version = assistant.version
                 where :tenant = '' or tenant_of(assistant.id) = :tenant
                """)
            .param(OwnRows.TENANT, OwnRows.tenant())
            .query(Long.class)
            .single();
    RequestWork.current().hold(HEAD_BYTES * count() + names);
    return jdbc.sql(
            HEADS
                + """
                 where shown.version = assistant.version
                   and (:tenant = '' or tenant_of(assistant.id) = :tenant)
                 order by assistant.id
                """)
        .param(OwnRows.TENANT, OwnRows.tenant())
        .query((row, _) -> head(row))
        .list();
  }

  /// Those of the versions of one assistant, newest first.
  List<Head> versions(String id) {
    return jdbc.sql(HEADS + " where assistant.id = ? order by shown.version desc")
        .param(id)
        .query((row, _) -> head(row))
        .list();
  }

  /// Of those of these that are stored.
  Map<VersionKey, ObjectValue> metadata(List<Head> heads) {
    hold(heads, "octet_length(shown.metadata)");
    var found = new HashMap<VersionKey, ObjectValue>();
    these(
            jdbc.sql("select assistant, version, metadata from assistant_version as shown" + THESE),
            heads)
        .query(row -> {
          found.put(
              new VersionKey(row.getString("assistant"), row.getInt("version")),
              object(row.getString("metadata")));
        });
    return found;
  }

  /// Those of them that are still there.
  Map<VersionKey, Assistant> contents(List<Head> heads) {
    hold(
        heads,
        "octet_length(shown.config) + octet_length(shown.context) + octet_length(shown.metadata)");
    var found = new HashMap<VersionKey, Assistant>();
    these(jdbc.sql(SELECT + THESE), heads)
        .query((row, _) -> assistant(row))
        .list()
        .forEach(it -> found.put(new VersionKey(it.id(), it.version()), it));
    return found;
  }

  private void hold(List<Head> heads, String size) {
    var sum =
        jdbc.sql(
            "select coalesce(sum(%s), 0) from assistant_version as shown".formatted(size) + THESE);
    RequestWork.current().hold(these(sum, heads).query(Long.class).single());
  }

  private static StatementSpec these(StatementSpec statement, List<Head> heads) {
    return statement
        .param("ids", heads.stream().map(it -> it.key().id()).toArray(String[]::new))
        .param("versions", heads.stream().map(it -> it.key().version()).toArray(Integer[]::new));
  }

  long count() {
    return jdbc.sql("select count(*) from assistant where :tenant = '' or tenant_of(id) = :tenant")
        .param(OwnRows.TENANT, OwnRows.tenant())
        .query(Long.class)
        .single();
  }

  /// @return whether there was none of this id
  boolean insert(String id, AssistantContent content, Instant createdAt) {
    int inserted =
        jdbc.sql(
                """
                insert into assistant (id, version, newest, created_at) values (?, 1, 1, ?)
                on conflict do nothing
                """)
            .param(id)
            .param(Timestamp.from(createdAt))
            .update();
    if (inserted > 0) {
      insertVersion(id, 1, content);
    }
    return inserted > 0;
  }

  /// Adds a version, which becomes the current one. Holds the row of the assistant until the
  /// transaction ends.
  ///
  /// @return its number; empty: there is no such assistant
  Optional<Integer> next(String id) {
    return jdbc.sql(
            """
            update assistant set newest = newest + 1, version = newest + 1 where id = ?
            returning newest
            """)
        .param(id)
        .query(Integer.class)
        .optional();
  }

  /// Stores it for the caller of this request.
  ///
  /// @throws dev.superstep.problem.ServiceException `storage_quota_exceeded`
  void insertVersion(String id, int version, AssistantContent content) {
    var config = Canonical.text(content.config());
    var context = Canonical.text(content.context());
    var metadata = Canonical.text(content.metadata());
    var caller = quotas.admitStored(() -> config.length() + context.length() + metadata.length());
    jdbc.sql(
            """
            insert into assistant_version
                   (assistant, version, graph, name, description, config, context, metadata,
                    created_at, caller)
            values (:id, :version, :graph, :name, :description, :config, :context, :metadata,
                    clock_timestamp(), :caller)
            """)
        .param("id", id)
        .param("version", version)
        .param("graph", content.graph())
        .param("name", content.name())
        .param("description", content.description().orElse(null))
        .param("config", config)
        .param("context", context)
        .param("metadata", metadata)
        .param("caller", caller)
        .update();
  }

  /// Makes an older version the current one.
  void choose(String id, int version) {
    jdbc.sql("update assistant set version = ? where id = ?").param(version).param(id).update();
  }

  boolean lock(String id) {
    return jdbc.sql("select 1 from assistant where id = ? for update")
        .param(id)
        .query(Integer.class)
        .optional()
        .isPresent();
  }

  boolean delete(String id) {
    return jdbc.sql("delete from assistant where id = ?").param(id).update() > 0;
  }

  private static Head head(ResultSet row) throws SQLException {
    return new Head(
        new VersionKey(row.getString("id"), row.getInt("version")),
        row.getString("graph"),
        row.getString("name"),
        times(row),
        true);
  }

  private static AssistantTimes times(ResultSet row) throws SQLException {
    return new AssistantTimes(time(row, "created_at"), time(row, "updated_at"));
  }

  private static Instant time(ResultSet row, String column) throws SQLException {
    return row.getTimestamp(column).toInstant();
  }

  private static Assistant assistant(ResultSet row) throws SQLException {
    return new Assistant(
        row.getString("id"),
        row.getInt("version"),
        new AssistantContent(
            row.getString("graph"),
            row.getString("name"),
            Optional.ofNullable(row.getString("description")),
            object(row.getString("config")),
            object(row.getString("context")),
            object(row.getString("metadata"))),
        times(row));
  }

  private static ObjectValue object(String text) {
    return ObjectValue.orEmpty(StoredValues.read(text));
  }
}
