package dev.superstep.database;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.concurrent.atomic.AtomicInteger;
import org.springframework.boot.jdbc.autoconfigure.JdbcConnectionDetails;
import org.springframework.boot.test.context.TestConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;

/// A real PostgreSQL for tests: `@Import(TestDatabase.class)`. There is one server per JVM, a
/// container where Docker is available and an embedded one elsewhere, and one fresh, empty database
/// per Spring context, so that contexts never see each other's rows.
@TestConfiguration(proxyBeanMethods = false)
@Import({PoolsConfiguration.class, MigrationFolder.class})
public class TestDatabase {

  private static final AtomicInteger databases = new AtomicInteger();

  @Bean
  JdbcConnectionDetails testDatabaseConnectionDetails() throws SQLException {
    return fresh();
  }

  /// A new empty database, for tests without a Spring context.
  public static JdbcConnectionDetails fresh() throws SQLException {
    TestServer server = TestServer.shared();
    String name = "test_" + databases.incrementAndGet();
    try (Connection connection =
            DriverManager.getConnection(
                server.url("postgres"), server.username(), server.password());
        Statement statement = connection.createStatement()) {
      statement.execute("create database " + name);
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
