package dev.superstep.database;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.jdbc.autoconfigure.JdbcConnectionDetails;

/// Runs a real PostgreSQL over one data folder, with the durability of any other: fsync and
/// synchronous commit are on. It listens on loopback, requires a password and lives from [#start]
/// to [#close]: if it dies in between it is started again, on the same port.
final class EmbeddedDatabase implements JdbcConnectionDetails, AutoCloseable {

  private static final Logger log = LoggerFactory.getLogger(EmbeddedDatabase.class);

  /// Recovery after a crash replays at most this long.
  private static final Duration START_MAX = Duration.ofMinutes(2);

  private static final Duration RESTART_MAX = Duration.ofSeconds(30);
  private static final Duration RESTART_PAUSE_MIN = Duration.ofSeconds(1);
  private static final Duration RESTART_PAUSE_MAX = Duration.ofSeconds(30);

  private static final String NAME = "superstep";
  private static final String HOST_BASED_AUTHENTICATION =
      """
      host all all 127.0.0.1/32 scram-sha-256
      """;

  private final DataFolder folder;
  private final String password;
  private final int port;
  private EmbeddedPostgres server;
  private boolean closed;

  private EmbeddedDatabase(DataFolder folder, EmbeddedPostgres server, String password) {
    this.folder = folder;
    this.server = server;
    this.password = password;
    this.port = server.getPort();
  }

  /// Starts the server over the folder, creating the cluster at the first start and stopping a
  /// server that a killed process left running.
  ///
  /// @throws EmbeddedDatabaseException if the folder is in use or the server does not start
  static EmbeddedDatabase start(Path dataDir) {
    DataFolder folder = DataFolder.claim(dataDir);
    try {
      LeftoverServer.stop(folder.cluster());
      boolean first = folder.beginUnlessComplete();
      String password = folder.password();
      EmbeddedPostgres server = server(folder, password).start();
      if (first) {
        createDatabase(server, password);
        folder.complete();
      }
      allowRoles(server);
      EmbeddedDatabase database = new EmbeddedDatabase(folder, server, password);
      Thread.ofPlatform().daemon().name("embedded-database").start(database::keepRunning);
      return database;
    } catch (EmbeddedDatabaseException e) {
      folder.close();
      throw e;
    } catch (IOException | SQLException | RuntimeException e) {
      folder.close();
      throw new EmbeddedDatabaseException(
          "The embedded PostgreSQL in " + folder.cluster() + " did not start: " + e.getMessage(),
          "Read " + folder.log() + ", or use a server of your own with SPRING_DATASOURCE_URL.",
          e);
    }
  }

  private static EmbeddedPostgres.Builder server(DataFolder folder, String password) {
    File log = folder.log().toFile();
    return EmbeddedPostgres.builder()
        .setDataDirectory(folder.cluster())
        .setCleanDataDirectory(false)
        .setOverrideWorkingDirectory(folder.binaries().toFile())
        .setDataDirectoryCustomizer(EmbeddedDatabase::requirePassword)
        // PostgreSQL's own, because not every system has a locale C.UTF-8.
        .setLocaleConfig("locale", "C")
        .setLocaleConfig("locale-provider", "builtin")
        .setLocaleConfig("builtin-locale", "C.UTF-8")
        .setLocaleConfig("pwfile", folder.passwordFile().toString())
        .setConnectConfig("password", password)
        .setServerConfig("fsync", "on")
        .setServerConfig("synchronous_commit", "on")
        .setServerConfig("listen_addresses", "127.0.0.1")
        .setServerConfig("unix_socket_directories", "")
        .setServerConfig("log_checkpoints", "off")
        .setOutputRedirector(ProcessBuilder.Redirect.to(log))
        .setErrorRedirector(ProcessBuilder.Redirect.to(log))
        .setPGStartupWait(START_MAX)
        // Its own hook would stop the database while requests are still being answered.
        .setRegisterShutdownHook(false);
  }

  private static void requirePassword(File cluster) {
    try {
      Files.writeString(cluster.toPath().resolve("pg_hba.conf"), HOST_BASED_AUTHENTICATION);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void createDatabase(EmbeddedPostgres server, String password) throws SQLException {
    try (Connection connection = server.getPostgresDatabase().getConnection();
        Statement statement = connection.createStatement()) {
      // The password is hexadecimal: nothing in it needs quoting.
      statement.execute("create role %s login password '%s'".formatted(NAME, password));
      statement.execute("create database %s owner %s".formatted(NAME, NAME));
    }
  }

  /// So that the service may make the role that keeps tenants apart, also in a folder from before.
  private static void allowRoles(EmbeddedPostgres server) throws SQLException {
    try (Connection connection = server.getPostgresDatabase().getConnection();
        Statement statement = connection.createStatement()) {
      statement.execute("alter role %s createrole".formatted(NAME));
    }
  }

  @Override
  public String getJdbcUrl() {
    return "jdbc:postgresql://127.0.0.1:%d/%s".formatted(port, NAME);
  }

  @Override
  public String getUsername() {
    return NAME;
  }

  @Override
  public String getPassword() {
    return password;
  }

  /// Waits for the server to die, again and again, and starts it anew. Failed starts are logged and
  /// retried; meanwhile the service reports that it has no database.
  private void keepRunning() {
    try {
      while (true) {
        LeftoverServer.awaitEnd(folder.cluster());
        Duration pause = RESTART_PAUSE_MIN;
        while (!restarted()) {
          Thread.sleep(pause);
          pause = pause.multipliedBy(2);
          pause = pause.compareTo(RESTART_PAUSE_MAX) < 0 ? pause : RESTART_PAUSE_MAX;
        }
      }
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    }
  }

  /// @return false if it has to be retried
  private synchronized boolean restarted() throws InterruptedException {
    if (closed) {
      throw new InterruptedException("closed");
    }
    log.warn("The embedded PostgreSQL has ended; it is started again. Its log: {}", folder.log());
    try {
      server.close();
      LeftoverServer.awaitOrphans(folder.binaries());
      LeftoverServer.stop(folder.cluster());
      server = server(folder, password).setPort(port).setPGStartupWait(RESTART_MAX).start();
      log.info("The embedded PostgreSQL runs again");
      return true;
    } catch (IOException | RuntimeException e) {
      log.warn("The embedded PostgreSQL does not start ({}); see {}", e.getMessage(), folder.log());
      return false;
    }
  }

  /// Stops the server in an orderly way, then gives up the folder.
  @Override
  public synchronized void close() {
    closed = true;
    try (folder) {
      server.close();
    } catch (IOException e) {
      log.warn("The embedded PostgreSQL did not stop; the next start will stop it", e);
    }
  }
}
