package dev.superstep.database;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariDataSource;
import dev.superstep.tenant.Tenant;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.flyway.autoconfigure.FlywayAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.JdbcConnectionDetails;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.test.annotation.DirtiesContext;
import org.springframework.test.context.TestPropertySource;
import org.springframework.test.context.junit.jupiter.SpringJUnitConfig;

/// The pool of API calls, shared by tenants, over a real PostgreSQL.
@SpringJUnitConfig(TestDatabase.class)
@ImportAutoConfiguration({DataSourceAutoConfiguration.class, FlywayAutoConfiguration.class})
@TestPropertySource(
    properties = {
      "superstep.tenants.enabled=true",
      "spring.datasource.hikari.maximum-pool-size=3",
      "spring.datasource.hikari.connection-timeout=10000"
    })
@DirtiesContext
class TenantConnectionsTests {
  private static final int THREADS = 8;
  private static final int STEPS = 100;
  private static final String WHO =
      """
      select current_user || ' ' || coalesce(current_setting('superstep.tenant', true), '') || ' '
             || (select coalesce(string_agg(id, ',' order by id), '-') from thread)
      """;

  private final DataSource pool;
  private final RowSecurity security;
  private final String role;
  private final List<Optional<Tenant>> all =
      List.of(
          Optional.empty(),
          Optional.of(Tenant.DEFAULT),
          Optional.of(new Tenant("acme")),
          Optional.of(new Tenant("globex")));

  TenantConnectionsTests(@Autowired DataSource pool, @Autowired RowSecurity security)
      throws SQLException {
    this.pool = pool;
    this.security = security;
    this.role = security.role();
    try (var connection = pool.getConnection();
        var statement = connection.createStatement()) {
      statement.execute(
          "insert into thread (id) values ('t'), ('acme/t'), ('globex/t') on conflict do nothing");
    }
  }

  private interface Work<T> {
    T on(Connection connection) throws Exception;
  }

  private <T> T as(Optional<Tenant> tenant, Work<T> work) throws Exception {
    return tenant.isEmpty() ? connected(work) : tenant.get().within(() -> connected(work));
  }

  private <T> T connected(Work<T> work) throws Exception {
    try (var connection = pool.getConnection()) {
      return work.on(connection);
    }
  }

  private static String who(Connection connection) throws SQLException {
    try (var statement = connection.createStatement();
        var found = statement.executeQuery(WHO)) {
      found.next();
      return found.getString(1);
    }
  }

  private String expected(Optional<Tenant> tenant) {
    return tenant
        .map(it ->
            "%s %s %s"
                .formatted(role, it.name(), it.isDefault() ? "t" : "%s/t".formatted(it.name())))
        .orElse("postgres  acme/t,globex/t,t");
  }

  /// Whatever happens to connections between: a failed statement, a transaction that is rolled
  /// back, to a savepoint or as a whole, a broken connection, one that is evicted.
  @Test
  void neverLendsTheRightsOfOneToAnother() throws Exception {
    long seed = new Random().nextLong();
    System.out.println("TenantConnectionsTests seed " + seed);
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      var done = new ArrayList<Future<?>>();
      for (int i = 0; i < THREADS; i++) {
        var random = new Random(seed + i);
        done.add(
            threads.submit(() -> {
              for (int step = 0; step < STEPS; step++) {
                var tenant = all.get(random.nextInt(all.size()));
                int what = random.nextInt(10);
                as(
                    tenant,
                    connection -> {
                      assertThat(who(connection)).as("seed %d", seed).isEqualTo(expected(tenant));
                      use(connection, what);
                      return what;
                    });
              }
              return this;
            }));
      }
      for (var each : done) {
        each.get();
      }
    }
  }

  private void use(Connection connection, int what) throws SQLException {
    try (var statement = connection.createStatement()) {
      switch (what) {
        case 0 -> fails(connection, "select 1 / 0");
        case 1 -> {
          connection.setAutoCommit(false);
          fails(connection, "select 1 / 0");
          connection.rollback();
        }
        case 2 -> {
          connection.setAutoCommit(false);
          var savepoint = connection.setSavepoint();
          fails(connection, "select * from no_such_table");
          connection.rollback(savepoint);
          who(connection);
          connection.commit();
        }
        case 3 -> {
          connection.setReadOnly(true);
          connection.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
          connection.setAutoCommit(false);
          who(connection);
          // given back within the transaction
        }
        case 4 -> {
          connection.setAutoCommit(false);
          statement.execute("set local statement_timeout = '5s'");
          connection.commit();
        }
        case 5 -> pool.unwrap(HikariDataSource.class).evictConnection(connection);
        case 6 -> fails(connection, "select pg_terminate_backend(pg_backend_pid())");
        default -> {}
      }
    }
  }

  private static void fails(Connection connection, String sql) {
    assertThatThrownBy(
            () -> {
              try (var statement = connection.createStatement()) {
                statement.execute(sql);
              }
            })
        .isInstanceOf(SQLException.class);
  }

  /// The statement that gives rights has been executed, but nobody knows.
  @Test
  void setsRightsAnewAfterAFailure() throws Exception {
    var now = new AtomicReference<Optional<Tenant>>(Optional.empty());
    var failing = new AtomicInteger();
    var connections = new TenantConnections(now::get, () -> security);
    try (var pooled = pool.getConnection()) {
      var kept = unclosed(pooled, failing, new AtomicInteger());
      for (var tenant : List.of(all.get(2), all.get(3), all.get(0), all.get(2))) {
        failing.set(1);
        now.set(tenant);
        assertThatThrownBy(() -> connections.prepared(kept)).hasMessage("lost");
        now.set(all.get(1));
        assertThat(who(connections.prepared(kept))).isEqualTo(expected(all.get(1)));
      }
      failing.set(1);
      now.set(all.get(2));
      assertThatThrownBy(() -> connections.prepared(kept)).hasMessage("lost");
      now.set(all.get(0));
      assertThat(who(connections.prepared(kept))).isEqualTo(expected(all.get(0)));
    }
  }

  @Test
  void sendsNothingWhereTheRightsAreThereAlready() throws Exception {
    var now = new AtomicReference<Optional<Tenant>>(Optional.empty());
    var statements = new AtomicInteger();
    var connections = new TenantConnections(now::get, () -> security);
    try (var pooled = pool.getConnection()) {
      var kept = unclosed(pooled, new AtomicInteger(), statements);
      for (var tenant : List.of(0, 0, 2, 2, 2, 3, 3, 0, 0)) {
        now.set(all.get(tenant));
        assertThat(who(connections.prepared(kept))).isEqualTo(expected(all.get(tenant)));
      }
    }
    assertThat(statements).hasValue(3);
  }

  /// A server that nobody shares is as it was, and so is its database.
  @Test
  void doesNothingWhereNobodyShares() {
    new ApplicationContextRunner()
        .withUserConfiguration(TestDatabase.class)
        .withConfiguration(
            AutoConfigurations.of(DataSourceAutoConfiguration.class, FlywayAutoConfiguration.class))
        .run(context -> {
          assertThat(context).doesNotHaveBean(RowSecurity.class);
          var database = context.getBean(DataSource.class);
          assertThat(
                  JdbcClient.create(database)
                      .sql(
                          "select (select count(*) from pg_policies) + (select count(*) from"
                              + " pg_class where relrowsecurity)")
                      .query(Integer.class)
                      .single())
              .isZero();
          var connection = new Tenant("acme").within(database::getConnection);
          try (connection) {
            assertThat(who(connection)).isEqualTo("postgres  -");
          }
        });
  }

  @Test
  void refusesToStartWhereSessionsDoNotLast() throws Exception {
    var database = TestDatabase.fresh();
    try (var pooler =
        PgBouncer.start(
            database,
            "pool_mode = transaction",
            "ignore_startup_parameters = extra_float_digits,options")) {
      var lent = pooler.before(database, "?prepareThreshold=0");
      new ApplicationContextRunner()
          .withUserConfiguration(TestDatabase.class)
          .withAllowBeanDefinitionOverriding(true)
          .withBean("testDatabaseConnectionDetails", JdbcConnectionDetails.class, () -> lent)
          .withPropertyValues("superstep.hints=false", "superstep.tenants.enabled=true")
          .withConfiguration(
              AutoConfigurations.of(
                  DataSourceAutoConfiguration.class, FlywayAutoConfiguration.class))
          .run(context ->
              assertThat(context)
                  .getFailure()
                  .rootCause()
                  .isInstanceOf(UnsuitableServerException.class)
                  .hasMessageContaining("would not last"));
    }
  }

  /// Fails behind as many statements as `failing` says, and stays open.
  private static Connection unclosed(
      Connection target, AtomicInteger failing, AtomicInteger statements) {
    return (Connection)
        Proxy.newProxyInstance(
            TenantConnectionsTests.class.getClassLoader(),
            new Class<?>[] {Connection.class},
            (_, method, arguments) -> {
              if (method.getName().equals("close")) {
                return null;
              }
              if (method.getName().equals("prepareStatement")) {
                statements.incrementAndGet();
              }
              try {
                var answer = method.invoke(target, arguments);
                if (method.getName().equals("getAutoCommit") && failing.getAndDecrement() > 0) {
                  throw new SQLException("lost");
                }
                return answer;
              } catch (InvocationTargetException e) {
                throw e.getTargetException();
              }
            });
  }
}
