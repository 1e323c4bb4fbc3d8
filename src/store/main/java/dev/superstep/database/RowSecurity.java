package dev.superstep.database;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.Map;
import java.util.TreeMap;
import javax.sql.DataSource;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.datasource.SingleConnectionDataSource;

/// Lets the database itself keep tenants apart (row-level security), besides the ids of which each
/// request makes those of its tenant: an API call takes on a role that sees and writes rows of one
/// tenant only ([TenantConnections]). Whoever owns the tables is bound by nothing: drivers, the
/// scheduler and migrations work as on a server that nobody shares.
///
/// It is set up when a server with tenants starts, not by a migration: a role is of the whole
/// server of the database, so that it is not in a dump and takes a right to be made; and whoever
/// has no tenants has nothing of it. Each step is left out where it has been done, so that replicas
/// may start side by side.
final class RowSecurity {
  /// Tables that hold something of a tenant, with SQL for its name.
  static final Map<String, String> TABLES =
      new TreeMap<>(
          Map.ofEntries(
              Map.entry("api_key", "tenant_of(name)"),
              Map.entry("assistant", "tenant_of(id)"),
              Map.entry("assistant_version", "tenant_of(assistant)"),
              Map.entry("audit_event", "tenant"),
              Map.entry("audit_seal", "tenant"),
              Map.entry("budget_window", "tenant"),
              Map.entry("call_lineage", "tenant_of(run)"),
              Map.entry("cached_result", "tenant_of(run)"),
              Map.entry("checkpoint", "tenant_of(run)"),
              Map.entry("child_run", "tenant_of(child)"),
              Map.entry("delivery", "tenant_of(run)"),
              Map.entry("graph", "tenant_of(name)"),
              Map.entry("graph_source", "tenant_of(graph)"),
              Map.entry("graph_version", "tenant_of(graph)"),
              Map.entry("inbound_hook", "tenant_of(graph)"),
              Map.entry("incoming_event", "tenant_of(id)"),
              Map.entry("interrupt", "tenant_of(run)"),
              Map.entry("langgraph_run", "tenant_of(id)"),
              Map.entry("made_call", "tenant_of(run)"),
              Map.entry("model_call", "tenant"),
              Map.entry("memory_item", "tenant_of_namespace(namespace)"),
              Map.entry("news", "tenant_of(run)"),
              Map.entry("recorded_task", "tenant_of(run)"),
              Map.entry("resolution", "tenant_of(run)"),
              Map.entry("run", "tenant_of(id)"),
              Map.entry("run_event", "tenant_of(run)"),
              Map.entry("run_input", "tenant_of(run)"),
              Map.entry("run_message", "tenant_of(run)"),
              Map.entry("run_schedule", "tenant_of(id)"),
              Map.entry("run_schedule_start", "tenant_of(schedule)"),
              Map.entry("run_report", "tenant_of(run)"),
              Map.entry("sign_in_session", "tenant"),
              Map.entry("slice", "tenant_of(run)"),
              Map.entry("stored_size", "tenant_of(run)"),
              Map.entry("taken_event", "tenant_of(run)"),
              Map.entry("task", "tenant_of(id)"),
              Map.entry("task_step", "tenant_of(run)"),
              Map.entry("thread", "tenant_of(id)"),
              Map.entry("tool_call_count", "tenant_of(run)"),
              Map.entry("tool_pin", "tenant_of(graph)"),
              Map.entry("webhook", "tenant"),
              Map.entry("wide_superstep", "tenant_of(run)")));

  /// Of a schema of a database: two services on one server share no role.
  private static final String ROLE =
      """
      select case when octet_length(name) <= 63 then name
                  else 'superstep.' || to_hex(hashtextextended(name, 0)) end
        from (select format('superstep.%s.%s', current_database(), current_schema()) as name) as of
      """;

  /// Until the connection is closed.
  private static final String LOCK =
      "select pg_advisory_lock(7305804402547314017 # " + Pools.SCHEMA_KEY + ")";

  /// A table is locked for a moment. Statements that come meanwhile queue behind the wait for it.
  private static final String WAIT_MAX = "set lock_timeout = '3s'";

  private static final int ATTEMPTS_MAX = 20;
  private static final String LOCK_NOT_AVAILABLE = "55P03";

  private static final String UNSAFE =
      """
      select c.relname from pg_class c
       where c.relnamespace = current_schema()::regnamespace and c.relkind in ('r', 'p')
         and row_security_active(c.oid)
       order by c.relname limit 1
      """;

  private static final String LACKS_POLICY =
      """
      select not exists (
        select from pg_class c join pg_policy p on p.polrelid = c.oid
         where c.oid = to_regclass(:table) and c.relrowsecurity and p.polname = 'of_tenant')
      """;

  private static final String LACKS_RIGHTS =
      """
      select exists (
        select from pg_class c
         where c.relnamespace = current_schema()::regnamespace and c.relkind in ('r', 'p', 'v')
           and c.relname <> 'flyway_schema_history'
           and not (has_table_privilege(:role, c.oid, 'select')
                    and has_table_privilege(:role, c.oid, 'insert')
                    and has_table_privilege(:role, c.oid, 'update')
                    and has_table_privilege(:role, c.oid, 'delete')))
          or not has_schema_privilege(:role, current_schema(), 'usage')
      """;

  private final String role;

  private RowSecurity(String role) {
    this.role = role;
  }

  /// Makes what is missing of it, and looks whether it holds.
  ///
  /// @param owner opens connections of the user that owns the tables
  /// @throws UnsuitableServerException if the user of the database cannot make it
  static RowSecurity on(DataSource owner, ServerCheck server) {
    if (!server.keepsSessions()) {
      throw new UnsuitableServerException(
          "superstep.tenants.enabled is true, and the pooler before the database lends a session"
              + " for one transaction each: the role that keeps tenants apart would not last.",
          "Use the session mode of the pooler, or none. See docs/configuration.md, \"Behind a"
              + " pooler\".");
    }
    try (var connection = owner.getConnection()) {
      return on(connection);
    } catch (SQLException e) {
      throw new UnsuitableServerException(
          "Row-level security cannot be set up: %s.".formatted(e.getMessage()),
          "Look at the rights of the user of the database.",
          e);
    }
  }

  private static RowSecurity on(Connection connection) throws SQLException {
    var jdbc = JdbcClient.create(new SingleConnectionDataSource(connection, true));
    execute(connection, LOCK);
    var security = new RowSecurity(jdbc.sql(ROLE).query(String.class).single());
    security.makeRole(connection, jdbc);
    security.grant(connection, jdbc);
    execute(connection, WAIT_MAX);
    for (var table : TABLES.entrySet()) {
      if (jdbc.sql(LACKS_POLICY).param("table", table.getKey()).query(Boolean.class).single()) {
        separate(connection, table.getKey(), table.getValue());
      }
    }
    requireOwner(jdbc);
    return security;
  }

  /// The role that API calls take on.
  String role() {
    return role;
  }

  private void makeRole(Connection connection, JdbcClient jdbc) {
    boolean exists =
        jdbc.sql("select exists (select from pg_roles where rolname = :role)")
            .param("role", role)
            .query(Boolean.class)
            .single();
    try {
      if (!exists) {
        execute(connection, "create role \"%s\" nologin".formatted(quoted()));
      }
      if (!takesOn(connection)) {
        execute(connection, "grant \"%s\" to current_user".formatted(quoted()));
      }
      if (takesOn(connection)) {
        return;
      }
    } catch (SQLException e) {
      throw noRole(e);
    }
    throw noRole(new SQLException("the role was made, and cannot be taken on"));
  }

  private UnsuitableServerException noRole(SQLException e) {
    return new UnsuitableServerException(
        "superstep.tenants.enabled is true, and the user of the database may not make the role that"
            + " keeps tenants apart: %s.".formatted(e.getMessage()),
        "Let an administrator of the database execute: create role \"%1$s\" nologin; grant \"%1$s\" to … (the user of SPRING_DATASOURCE_URL);"
            .formatted(quoted()),
        e);
  }

  private String quoted() {
    return role.replace("\"", "\"\"");
  }

  private boolean takesOn(Connection connection) throws SQLException {
    try {
      execute(connection, "set role \"%s\"".formatted(quoted()));
    } catch (SQLException _) {
      return false;
    }
    execute(connection, "reset role");
    return true;
  }

  /// On all that is there: a table of a later migration is granted by the start that follows it.
  private void grant(Connection connection, JdbcClient jdbc) throws SQLException {
    if (jdbc.sql(LACKS_RIGHTS).param("role", role).query(Boolean.class).single()) {
      execute(
          connection,
          """
          do $$ begin
            execute format('grant usage on schema %%I to %%I', current_schema(), %1$s);
            execute format('grant select, insert, update, delete on all tables in schema %%I to %%I',
                           current_schema(), %1$s);
            execute format('revoke all on flyway_schema_history from %%I', %1$s);
            execute format('grant execute on all functions in schema %%I to %%I',
                           current_schema(), %1$s);
          end $$
          """
              .formatted("'" + role.replace("'", "''") + "'"));
    }
  }

  /// One table at a time: whoever waits for the lock of one holds none of another.
  private static void separate(Connection connection, String table, String tenant)
      throws SQLException {
    for (int attempt = 1; true; attempt++) {
      try {
        execute(
            connection,
            """
            do $$ begin
              alter table %1$s enable row level security;
              drop policy if exists of_tenant on %1$s;
              create policy of_tenant on %1$s
                using (%2$s = current_setting('superstep.tenant'))
                with check (%2$s = current_setting('superstep.tenant'));
            end $$
            """
                .formatted(table, tenant));
        return;
      } catch (SQLException e) {
        if (!LOCK_NOT_AVAILABLE.equals(e.getSQLState()) || attempt >= ATTEMPTS_MAX) {
          throw e;
        }
      }
    }
  }

  /// Else drivers would see nothing.
  private static void requireOwner(JdbcClient jdbc) {
    var bound = jdbc.sql(UNSAFE).query(String.class).optional();
    if (bound.isPresent()) {
      throw new UnsuitableServerException(
          "superstep.tenants.enabled is true, and the user of the database does not own the table"
              + " %s.".formatted(bound.get()),
          "Make it the owner of all tables of the schema: alter table … owner to …;");
    }
  }

  private static void execute(Connection connection, String sql) throws SQLException {
    try (var statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }
}
