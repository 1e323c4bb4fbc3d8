package dev.superstep.database;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import org.flywaydb.core.Flyway;
import org.springframework.boot.jdbc.autoconfigure.JdbcConnectionDetails;
import org.springframework.boot.test.context.TestConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;

/// A real PostgreSQL for tests: `@Import(TestDatabase.class)`. There is one server per JVM, a
/// container where Docker is available and an embedded one elsewhere, and one database per Spring
/// context, so that contexts never see each other's rows.
@TestConfiguration(proxyBeanMethods = false)
@Import({PoolsConfiguration.class, MigrationFolder.class})
public class TestDatabase {

  private static final AtomicInteger databases = new AtomicInteger();

  @Bean
  JdbcConnectionDetails testDatabaseConnectionDetails() throws SQLException {
    return migrated();
  }

  /// A new empty database, for tests without a Spring context.
  public static JdbcConnectionDetails fresh() throws SQLException {
    return create("test_" + databases.incrementAndGet(), "");
  }

  /// A new database with all tables: a copy, which takes less than the migrations.
  public static JdbcConnectionDetails migrated() throws SQLException {
    return create("test_" + databases.incrementAndGet(), " template " + Migrated.NAME);
  }

  /// The environment of a process of the service that uses this database.
  public static Map<String, String> environment(JdbcConnectionDetails database) {
    return Map.of(
        "SPRING_DATASOURCE_URL",
        database.getJdbcUrl(),
        "SPRING_DATASOURCE_USERNAME",
        Objects.requireNonNull(database.getUsername()),
        "SPRING_DATASOURCE_PASSWORD",
        Objects.requireNonNull(database.getPassword()));
  }

  /// Is made once in a JVM, and nobody is connected to it.
  private static final class Migrated {
    static final String NAME = make();

    private static String make() {
      try {
        var made = create("migrated", "");
        Flyway.configure()
            .dataSource(made.getJdbcUrl(), made.getUsername(), made.getPassword())
            .locations(MigrationFolder.LOCATION)
            .load()
            .migrate();
        return "migrated";
      } catch (SQLException e) {
        throw new IllegalStateException(e);
      }
    }
  }

  private static JdbcConnectionDetails create(String name, String more) throws SQLException {
    TestServer server = TestServer.shared();
    try (Connection connection =
            DriverManager.getConnection(
                server.url("postgres"), server.username(), server.password());
        Statement statement = connection.createStatement()) {
      statement.execute("create database " + name + more);
    }
    return new FreshDatabase(server.url(name), server.username(), server.password());
  }

  private record FreshDatabase(String url, String username, String password)
      implements JdbcConnectionDetails {

    @Override
    public String getJdbcUrl() {
      return url;
    }

    @Override
    public String getUsername() {
      return username;
    }

    @Override
    public String getPassword() {
      return password;
    }
  }
}
