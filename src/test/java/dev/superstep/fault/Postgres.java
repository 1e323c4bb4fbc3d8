package dev.superstep.fault;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.datasource.DriverManagerDataSource;
import org.springframework.jdbc.datasource.SingleConnectionDataSource;

/// A PostgreSQL of the suite's own, so that it may be killed and started again.
final class Postgres implements AutoCloseable {
  private static final int CONNECTIONS = 200;
  private static final int LOGINS = 4;

  private final Path folder;
  private final int port = Processes.freePort();
  private final AtomicInteger databases = new AtomicInteger();
  private EmbeddedPostgres server;

  Postgres(Path folder) {
    this.folder = folder;
    this.server = launch();
    for (int i = 0; i < LOGINS; i++) {
      jdbc("postgres").sql("create role " + login(i) + " superuser login").update();
    }
  }

  /// The database user of one replica.
  static String login(int replica) {
    return "replica_" + replica;
  }

  private EmbeddedPostgres launch() {
    try {
      return EmbeddedPostgres.builder()
          .setDataDirectory(folder.resolve("pg"))
          .setCleanDataDirectory(false)
          .setPort(port)
          .setLocaleConfig("locale", "C.UTF-8")
          .setServerConfig("fsync", "on")
          .setServerConfig("synchronous_commit", "on")
          .setServerConfig("max_connections", Integer.toString(CONNECTIONS))
          .setServerConfig("listen_addresses", "127.0.0.1")
          .setServerConfig("unix_socket_directories", "")
          .setOutputRedirector(
              ProcessBuilder.Redirect.appendTo(folder.resolve("postgres.log").toFile()))
          .setErrorRedirector(
              ProcessBuilder.Redirect.appendTo(folder.resolve("postgres.log").toFile()))
          .setPGStartupWait(Duration.ofMinutes(2))
          .start();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  int port() {
    return port;
  }

  String freshDatabase() {
    var name = "fault_" + databases.incrementAndGet();
    jdbc("postgres").sql("create database " + name).update();
    return name;
  }

  /// Without a pool: it survives every restart of the server.
  JdbcClient jdbc(String database) {
    return JdbcClient.create(new DriverManagerDataSource(url(database), "postgres", ""));
  }

  /// One connection for many small queries; it does not survive a restart.
  SingleConnectionDataSource connection(String database) {
    return new SingleConnectionDataSource(url(database), "postgres", "", true);
  }

  private String url(String database) {
    return "jdbc:postgresql://127.0.0.1:%d/%s?connectTimeout=5&socketTimeout=60"
        .formatted(port, database);
  }

  /// `pg_ctl stop -m immediate`: no checkpoint, no good-byes.
  void crash() throws Exception {
    var postmaster = postmaster().orElseThrow();
    Processes.send(postmaster, Processes.Signal.QUIT);
    postmaster.onExit().get(1, TimeUnit.MINUTES);
  }

  boolean alive() throws IOException {
    return postmaster().filter(ProcessHandle::isAlive).isPresent();
  }

  /// The process itself: the one that the library knows only starts it.
  private Optional<ProcessHandle> postmaster() throws IOException {
    var file = folder.resolve("pg").resolve("postmaster.pid");
    return Files.exists(file)
        ? ProcessHandle.of(Long.parseLong(Files.readAllLines(file).getFirst().strip()))
        : Optional.empty();
  }

  /// After [#crash]: recovers from the log.
  void restart() {
    close();
    server = launch();
  }

  @Override
  public void close() {
    try {
      server.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
