package dev.superstep.fault;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.springframework.jdbc.core.simple.JdbcClient;

/// Two replicas of what is shipped, over a database of their own.
public final class ReplicaPair implements AutoCloseable {
  private final Postgres postgres;
  private final String database;
  private final List<Replica> replicas = new ArrayList<>();

  /// @param folder of the database and of both logs
  /// @param settings environment of both
  public ReplicaPair(Path folder, Map<String, String> settings) throws IOException {
    this(folder, Installation.shared().command(), settings);
  }

  /// @param command that starts each
  ReplicaPair(Path folder, List<String> command, Map<String, String> settings) throws IOException {
    postgres = new Postgres(Files.createDirectories(folder.resolve("database")));
    database = postgres.freshDatabase();
    for (int i = 0; i < 2; i++) {
      var environment =
          new HashMap<>(Cluster.database(postgres.port(), database, Postgres.login(i)));
      environment.putAll(settings);
      var home = Files.createDirectories(folder.resolve("replica-" + i));
      replicas.add(new Replica(home, command, environment));
    }
  }

  /// The first one makes the schema.
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
    return postgres.jdbc(database);
  }

  @Override
  public void close() {
    for (var replica : replicas) {
      end(replica);
    }
    postgres.close();
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
