package dev.superstep.langgraph.assistant;

import dev.superstep.json.Json;
import dev.superstep.langgraph.OnLangGraph;
import dev.superstep.langgraph.assistant.Assistant.Content;
import dev.superstep.langgraph.assistant.Assistant.Times;
import dev.superstep.state.value.Canonical;
import dev.superstep.state.value.ObjectValue;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Timestamp;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.springframework.jdbc.core.simple.JdbcClient;
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

  private final JdbcClient jdbc;

  AssistantRows(JdbcClient jdbc) {
    this.jdbc = jdbc;
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

  List<Assistant> all() {
    return jdbc.sql(SELECT + " where shown.version = assistant.version order by assistant.id")
        .query((row, _) -> assistant(row))
        .list();
  }

  /// Newest first.
  List<Assistant> versions(String id) {
    return jdbc.sql(SELECT + " where assistant.id = ? order by shown.version desc")
        .param(id)
        .query((row, _) -> assistant(row))
        .list();
  }

  long count() {
    return jdbc.sql("select count(*) from assistant").query(Long.class).single();
  }

  /// @return whether there was none of this id
  boolean insert(String id, Content content, Instant createdAt) {
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

  void insertVersion(String id, int version, Content content) {
    jdbc.sql(
            """
            insert into assistant_version
                   (assistant, version, graph, name, description, config, context, metadata,
                    created_at)
            values (:id, :version, :graph, :name, :description, :config, :context, :metadata,
                    clock_timestamp())
            """)
        .param("id", id)
        .param("version", version)
        .param("graph", content.graph())
        .param("name", content.name())
        .param("description", content.description().orElse(null))
        .param("config", Canonical.text(content.config()))
        .param("context", Canonical.text(content.context()))
        .param("metadata", Canonical.text(content.metadata()))
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

  private static Assistant assistant(ResultSet row) throws SQLException {
    return new Assistant(
        row.getString("id"),
        row.getInt("version"),
        new Content(
            row.getString("graph"),
            row.getString("name"),
            Optional.ofNullable(row.getString("description")),
            object(row.getString("config")),
            object(row.getString("context")),
            object(row.getString("metadata"))),
        new Times(
            row.getTimestamp("created_at").toInstant(),
            row.getTimestamp("updated_at").toInstant()));
  }

  private static ObjectValue object(String text) {
    return Json.read(text) instanceof ObjectValue object ? object : ObjectValue.empty();
  }
}
