package dev.superstep.database;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.concurrent.atomic.AtomicInteger;

/// The database that the service brings, with the settings it has there, for benchmarks that start
/// several services over it.
public final class BenchDatabase implements AutoCloseable {
  private final EmbeddedDatabase server;
  private final AtomicInteger databases = new AtomicInteger();
  private final String superuserPassword;

  private BenchDatabase(EmbeddedDatabase server, String superuserPassword) {
    this.server = server;
    this.superuserPassword = superuserPassword;
  }

  public static BenchDatabase start(Path folder) throws IOException {
    var server = EmbeddedDatabase.start(folder);
    var password = Files.readString(folder.resolve("password")).strip();
    return new BenchDatabase(server, password);
  }

  /// A new, empty database.
  ///
  /// @return its URL, with user and password
  public String fresh() throws SQLException {
    var name = "bench_%d_%d".formatted(System.currentTimeMillis(), databases.incrementAndGet());
    asSuperuser("create database %s owner %s".formatted(name, server.getUsername()));
    return server.getJdbcUrl().replaceFirst("/[^/]*$", "/" + name)
        + "?user=%s&password=%s".formatted(server.getUsername(), server.getPassword());
  }

  /// Writes everything out, so that no workload pays for the one before it.
  public void checkpoint() throws SQLException {
    asSuperuser("checkpoint");
  }

  private void asSuperuser(String sql) throws SQLException {
    var url = server.getJdbcUrl().replaceFirst("/[^/]*$", "/postgres");
    try (Connection connection = DriverManager.getConnection(url, "postgres", superuserPassword);
        var statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  @Override
  public void close() {
    server.close();
  }
}
