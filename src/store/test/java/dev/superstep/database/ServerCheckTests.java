package dev.superstep.database;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.Objects;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.JdbcConnectionDetails;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.datasource.DriverManagerDataSource;

/// Where a service may stand, with a real server and a real PgBouncer.
@ExtendWith(OutputCaptureExtension.class)
class ServerCheckTests {
  private static final String TRANSACTIONS = "pool_mode = transaction";
  private static final String IGNORES = "ignore_startup_parameters = extra_float_digits,options";

  @Test
  void takesTheServerItself() throws SQLException {
    assertThat(ServerCheck.of(TestDatabase.fresh(), true).takesOptions()).isTrue();
  }

  @ParameterizedTest
  @CsvSource({
    "default_transaction_read_only, on, takes no writes",
    "synchronous_commit, off, acknowledges commits that it may lose",
    "default_transaction_isolation, repeatable read, not read committed",
    "search_path, nowhere, No schema",
  })
  void endsTheStartWhereAGuaranteeIsGone(String setting, String value, String sentence)
      throws SQLException {
    var database = TestDatabase.fresh();
    var name = database.getJdbcUrl().replaceFirst(".*/", "");
    execute(database, "alter database %s set %s = '%s'".formatted(name, setting, value));

    assertThatThrownBy(() -> ServerCheck.of(database, true))
        .isInstanceOf(UnsuitableServerException.class)
        .hasMessageContaining(sentence);
  }

  @Test
  void refusesAServerThatIsTooOld() throws Exception {
    var database = TestDatabase.fresh();
    try (var server = new VersionProxy(database, "140019")) {
      assertThatThrownBy(() -> ServerCheck.of(server.database(), true))
          .isInstanceOfSatisfying(
              UnsuitableServerException.class,
              it -> assertThat(it.action()).isEqualTo("Use PostgreSQL 15 to 18."))
          .hasMessageContaining("The database is PostgreSQL 14.");
    }
  }

  @ParameterizedTest
  @CsvSource({"150000, 0", "189999, 0", "190000, 1"})
  void warnsOfAServerThatIsNewerThanThoseOfTheTests(
      String version, int warnings, CapturedOutput log) throws Exception {
    var database = TestDatabase.fresh();
    try (var server = new VersionProxy(database, version)) {
      assertThat(ServerCheck.of(server.database(), true).takesOptions()).isTrue();
    }
    assertThat(log.getOut().lines().filter(it -> it.contains("is newer than")))
        .hasSize(warnings)
        .allMatch(it -> it.contains("PostgreSQL 19 is newer than") && it.contains("(15 to 18)"));
  }

  @Test
  void saysWhatAPoolerRefuses() throws Exception {
    var database = TestDatabase.fresh();
    try (var pooler = PgBouncer.start(database, TRANSACTIONS)) {
      assertThatThrownBy(() -> ServerCheck.of(pooler.before(database, ""), true))
          .isInstanceOfSatisfying(
              UnsuitableServerException.class,
              it -> assertThat(it.action()).contains("prepareThreshold=0"));
    }
  }

  @Test
  void wantsNoHintsFromSessionsThatAreLent() throws Exception {
    var database = TestDatabase.fresh();
    try (var pooler = PgBouncer.start(database, TRANSACTIONS, IGNORES)) {
      var lent = pooler.before(database, "?prepareThreshold=0");
      assertThatThrownBy(() -> ServerCheck.of(lent, true))
          .isInstanceOfSatisfying(
              UnsuitableServerException.class,
              it -> assertThat(it.action()).contains("SUPERSTEP_HINTS=false"));
      assertThat(ServerCheck.of(lent, false).takesOptions()).isFalse();
    }
  }

  /// In whose sessions nothing is left behind, for others who get them.
  @ParameterizedTest
  @ValueSource(strings = {IGNORES, ""})
  void leavesNothingInSessionsThatAreLent(String ignores) throws Exception {
    var database = TestDatabase.fresh();
    try (var pooler = PgBouncer.start(database, TRANSACTIONS, "default_pool_size = 2", ignores)) {
      var lent = pooler.before(database, "?prepareThreshold=0");
      new ApplicationContextRunner()
          .withUserConfiguration(TestDatabase.class)
          .withAllowBeanDefinitionOverriding(true)
          .withBean("testDatabaseConnectionDetails", JdbcConnectionDetails.class, () -> lent)
          .withPropertyValues("superstep.hints=false")
          .withConfiguration(AutoConfigurations.of(DataSourceAutoConfiguration.class))
          .run(context -> {
            for (var pool : context.getBeansOfType(DataSource.class).values()) {
              try (var connection = pool.getConnection()) {
                assertThat(connection.isValid(1)).isTrue();
              }
            }
            assertThat(
                    JdbcClient.create(
                            new DriverManagerDataSource(
                                lent.getJdbcUrl(), Objects.requireNonNull(lent.getUsername()), ""))
                        .sql(
                            "select name || '=' || setting from pg_settings where source ="
                                + " 'session' and name in ('statement_timeout', 'random_page_cost',"
                                + " 'plan_cache_mode', 'enable_seqscan')")
                        .query(String.class)
                        .list())
                .isEmpty();
          });
    }
  }

  @Test
  void takesSessionsThatAreKept() throws Exception {
    var database = TestDatabase.fresh();
    try (var pooler = PgBouncer.start(database, "pool_mode = session", IGNORES)) {
      assertThat(ServerCheck.of(pooler.before(database, ""), true).takesOptions()).isFalse();
    }
  }

  /// Of one service in each schema.
  @Test
  void locksAreOfASchema() throws SQLException {
    var database = TestDatabase.fresh();
    execute(database, "create schema a");
    execute(database, "create schema b");

    try (var ofA = locking(database, "a");
        var ofB = locking(database, "b");
        var ofPublic = locking(database, "public");
        var second = locking(database, "a")) {
      assertThat(locks(ofA)).isTrue();
      assertThat(locks(ofB)).isTrue();
      assertThat(locks(ofPublic)).isTrue();
      assertThat(locks(second)).isFalse();
    }
  }

  private static Connection locking(JdbcConnectionDetails database, String schema)
      throws SQLException {
    var connection =
        DriverManager.getConnection(
            database.getJdbcUrl() + "?currentSchema=" + schema,
            database.getUsername(),
            database.getPassword());
    connection.setAutoCommit(false);
    return connection;
  }

  private static boolean locks(Connection connection) throws SQLException {
    try (var statement = connection.createStatement();
        var found =
            statement.executeQuery(
                "select pg_try_advisory_xact_lock(7 # " + Pools.SCHEMA_KEY + ")")) {
      found.next();
      return found.getBoolean(1);
    }
  }

  private static void execute(JdbcConnectionDetails database, String sql) throws SQLException {
    try (var connection =
            DriverManager.getConnection(
                database.getJdbcUrl(), database.getUsername(), database.getPassword());
        var statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }
}
