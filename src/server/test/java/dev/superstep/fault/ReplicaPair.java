package dev.superstep.fault;

import dev.superstep.database.TestDatabase;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.springframework.boot.jdbc.autoconfigure.JdbcConnectionDetails;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.datasource.DriverManagerDataSource;

/// Two replicas of what is shipped, over a database of their own on the server of the JVM: replicas
/// are killed here, the server is not.
public final class ReplicaPair implements AutoCloseable {
  private final JdbcConnectionDetails database;
  private final List<Replica> replicas = new ArrayList<>();

  /// @param folder of both logs
  /// @param settings environment of both
  public ReplicaPair(Path folder, Map<String, String> settings) throws IOException, SQLException {
    this(folder, Installation.shared().command(), TestDatabase.migrated(), settings);
  }

  /// @param command that starts each
  ReplicaPair(
      Path folder,
      List<String> command,
      JdbcConnectionDetails database,
      Map<String, String> settings)
      throws IOException {
    this.database = database;
    for (int i = 0; i < 2; i++) {
      var environment = new HashMap<>(TestDatabase.environment(database));
      environment.putAll(settings);
      var home = Files.createDirectories(folder.resolve("replica-" + i));
      replicas.add(new Replica(home, command, environment));
    }
  }

  public void start() {
    replicas.forEach(Replica::start);
    replicas.forEach(Replica::awaitReady);
  }

  public Replica first() {
    return replicas.getFirst();
  }

  public Replica second() {
    return replicas.getLast();
  }

  /// Sees all rows.
  public JdbcClient jdbc() {
    return JdbcClient.create(
        new DriverManagerDataSource(
            database.getJdbcUrl(),
            Objects.requireNonNull(database.getUsername()),
            Objects.requireNonNull(database.getPassword())));
  }

  @Override
  public void close() {
    for (var replica : replicas) {
      end(replica);
    }
  }

  private static void end(Replica replica) {
    try {
      replica.kill();
      replica.close();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }
}
