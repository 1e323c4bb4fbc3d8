package dev.superstep.database;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.stream.Collectors;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.postgresql.util.PSQLException;
import org.springframework.boot.jdbc.autoconfigure.JdbcConnectionDetails;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.datasource.DriverManagerDataSource;
import org.springframework.jdbc.datasource.SingleConnectionDataSource;

/// What the database keeps apart, in a real one.
class RowSecurityTests {
  private static final String ROWS =
      """
      insert into thread (id) values ('t'), ('acme/t'), ('globex/t');
      insert into graph (name, newest, hidden_through, updated_at)
      values ('g', 1, 0, now()), ('acme/g', 1, 0, now()), ('globex/g', 1, 0, now());
      insert into run (id, graph, version, status)
      select id, 'g', 1, 'queued' from unnest(array['r', 'acme/r', 'globex/r']) as id;
      insert into run_input (run, input) select id, '{}' from run;
      insert into memory_item (namespace, key, value, created_at, updated_at)
      select id, 'k', '{}', now(), now() from unnest(array['n', '.acme.n', '.globex.n']) as id;
      insert into audit_event (tenant, credential, action)
      select tenant, 'none', 'run.start' from unnest(array['default', 'acme', 'globex']) as tenant;
      """;

  /// Tables that hold nothing of a tenant, or nothing that says more than a digest of its caller,
  /// beside those of the scheduler, which works for all.
  private static final Set<String> OF_ALL =
      Set.of(
          "audit_sealed", "database_era", "flyway_schema_history", "idempotency_key", "model_pace");

  private static final List<String> FILLED =
      List.of("thread", "graph", "run", "run_input", "memory_item", "audit_event");

  private final JdbcConnectionDetails database;
  private final DataSource owner;
  private final JdbcClient jdbc;

  RowSecurityTests() throws SQLException {
    database = TestDatabase.migrated();
    owner = as(Objects.requireNonNull(database.getUsername()));
    jdbc = JdbcClient.create(owner);
  }

  private DataSource as(String user) {
    return new DriverManagerDataSource(
        database.getJdbcUrl(), user, Objects.requireNonNullElse(database.getPassword(), ""));
  }

  private RowSecurity secure(DataSource user) {
    return RowSecurity.on(user, ServerCheck.of(database, true));
  }

  @Test
  void knowsOfEachTableWhetherItHoldsSomethingOfATenant() {
    var known = new TreeSet<>(OF_ALL);
    known.addAll(RowSecurity.TABLES.keySet());
    assertThat(OF_ALL).doesNotContainAnyElementsOf(RowSecurity.TABLES.keySet());
    assertThat(
            jdbc.sql(
                    """
                    select relname::text from pg_class
                     where relnamespace = 'public'::regnamespace and relkind in ('r', 'p', 'm', 'f')
                       and relname !~ '^scheduled'
                    """)
                .query(String.class)
                .list())
        .as("a new table is in one of the lists of RowSecurity")
        .containsExactlyInAnyOrderElementsOf(known);
  }

  @Test
  void showsATenantItsRowsOnly() throws SQLException {
    jdbc.sql(ROWS).update();
    var security = secure(owner);
    for (var tenant : List.of("acme", "globex", "default")) {
      try (var connection = as(tenant, security)) {
        var own = JdbcClient.create(new SingleConnectionDataSource(connection, true));
        FILLED.forEach(
            it -> assertThat(tenants(own, it)).as("%s of %s", it, tenant).containsExactly(tenant));
        assertThat(own.sql("update run set priority = 1").update()).isOne();
        for (var change :
            List.of(
                "insert into thread (id) values ('initech/t')",
                "update run set id = 'initech/r'")) {
          assertThatThrownBy(() -> own.sql(change).update())
              .hasStackTraceContaining("violates row-level security policy");
        }
        assertThat(own.sql("delete from memory_item").update()).isOne();
      }
    }
    try (var connection = as("nobody", security)) {
      var own = JdbcClient.create(new SingleConnectionDataSource(connection, true));
      FILLED.forEach(it -> assertThat(tenants(own, it)).isEmpty());
      assertThat(own.sql("update run set priority = 1").update()).isZero();
      assertThat(own.sql("delete from run").update()).isZero();
    }
    assertThat(jdbc.sql("select count(*) from run").query(Integer.class).single()).isEqualTo(3);
  }

  private static List<String> tenants(JdbcClient own, String table) {
    return own.sql("select %s from %s".formatted(RowSecurity.TABLES.get(table), table))
        .query((row, _) -> row.getString(1))
        .list();
  }

  private Connection as(String tenant, RowSecurity security) throws SQLException {
    var connection = owner.getConnection();
    try (var statement = connection.createStatement()) {
      statement.execute("set role \"%s\"".formatted(security.role()));
      statement.execute("set superstep.tenant = '%s'".formatted(tenant));
    }
    return connection;
  }

  /// Each table has the policy on the column that is named for it.
  @Test
  void separatesEachTable() {
    secure(owner);
    var policies =
        jdbc
            .sql("select tablename || ':' || qual || ':' || with_check from pg_policies")
            .query(String.class)
            .list()
            .stream()
            .collect(Collectors.toSet());
    assertThat(policies)
        .containsExactlyInAnyOrderElementsOf(
            RowSecurity.TABLES.entrySet().stream()
                .map(it ->
                    "%1$s:(%2$s = current_setting('superstep.tenant'::text)):(%2$s = current_setting('superstep.tenant'::text))"
                        .formatted(it.getKey(), it.getValue()))
                .toList());
    assertThat(
            jdbc.sql(
                    "select count(*) from pg_class where relrowsecurity and not"
                        + " relforcerowsecurity")
                .query(Integer.class)
                .single())
        .isEqualTo(RowSecurity.TABLES.size());
  }

  @Test
  void showsNothingToWhomNoTenantIsSaid() throws SQLException {
    jdbc.sql(ROWS).update();
    var security = secure(owner);
    try (var connection = owner.getConnection();
        var statement = connection.createStatement()) {
      statement.execute("set role \"%s\"".formatted(security.role()));
      assertThatThrownBy(() -> statement.executeQuery("select * from run"))
          .isInstanceOf(PSQLException.class)
          .hasMessageContaining("superstep.tenant");
    }
  }

  /// The same answers, whoever asks: epochs of leases derive from them.
  @Test
  void letsARoleKnowTheHistoryOfTheDatabase() throws SQLException {
    var security = secure(owner);
    var asked =
        "select database_era() || ' ' || database_timeline() || ' ' || database_system()"
            + " || ' ' || next_epoch(7)";
    try (var connection = as("acme", security)) {
      assertThat(
              JdbcClient.create(new SingleConnectionDataSource(connection, true))
                  .sql(asked)
                  .query(String.class)
                  .single())
          .isEqualTo(jdbc.sql(asked).query(String.class).single());
      assertThatThrownBy(() ->
              connection.createStatement().executeQuery("select * from flyway_schema_history"))
          .hasMessageContaining("permission denied");
    }
  }

  @Test
  void startsSideBySide() throws Exception {
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      Callable<String> start = () -> secure(owner).role();
      var roles = threads.invokeAll(Collections.nCopies(6, start));
      for (var role : roles) {
        assertThat(role.get())
            .isEqualTo(
                "superstep.%s.public".formatted(database.getJdbcUrl().replaceFirst(".*/", "")));
      }
    }
  }

  /// By the user of the database: it owns the tables, and may make no role.
  @Test
  void saysWhatAnAdministratorHasToDo() {
    var user = owningUser("nocreaterole");
    assertThatThrownBy(() -> secure(as(user)))
        .isInstanceOfSatisfying(
            UnsuitableServerException.class,
            it -> {
              assertThat(it.action()).contains("create role \"superstep.", "; grant \"superstep.");
              var sql = it.action().replaceFirst("[^:]*: ", "");
              jdbc.sql(sql.replace("… (the user of SPRING_DATASOURCE_URL)", user)).update();
            })
        .hasMessageContaining("may not make the role");
    assertThat(policies()).isZero();

    assertThat(secure(as(user)).role()).startsWith("superstep.");
    assertThat(policies()).isEqualTo(RowSecurity.TABLES.size());
  }

  @Test
  void takesAUserThatMayMakeRoles() {
    var user = owningUser("createrole");
    assertThat(secure(as(user)).role()).startsWith("superstep.");
    assertThat(secure(as(user)).role()).startsWith("superstep.");
  }

  @ParameterizedTest
  @ValueSource(strings = {"run", "checkpoint"})
  void refusesAUserThatDoesNotOwnATable(String table) {
    secure(owner);
    var user = owningUser("createrole");
    jdbc.sql("alter table %s owner to postgres".formatted(table)).update();
    jdbc.sql("grant all on %s to %s".formatted(table, user)).update();
    jdbc.sql("grant \"%s\" to %s".formatted(secure(owner).role(), user)).update();
    assertThatThrownBy(() -> secure(as(user)))
        .isInstanceOf(UnsuitableServerException.class)
        .hasMessageContaining("does not own the table " + table);
  }

  private int policies() {
    return jdbc.sql("select count(*) from pg_policies").query(Integer.class).single();
  }

  private String owningUser(String right) {
    var user = "owner_" + database.getJdbcUrl().replaceFirst(".*/", "");
    jdbc.sql("create role %s login %s password ''".formatted(user, right)).update();
    jdbc.sql("grant all on schema public to %s with grant option".formatted(user)).update();
    jdbc.sql(
            """
            do $$ declare it record; begin
              for it in select oid::regclass as name, relkind from pg_class
                         where relnamespace = 'public'::regnamespace and relkind in ('r', 'v') loop
                execute format('alter %%s %%s owner to %%s',
                               case it.relkind when 'v' then 'view' else 'table' end, it.name, '%1$s');
              end loop;
              for it in select oid::regprocedure as name from pg_proc
                         where pronamespace = 'public'::regnamespace loop
                execute format('alter function %%s owner to %%s', it.name, '%1$s');
              end loop;
            end $$
            """
                .formatted(user))
        .update();
    return user;
  }
}
