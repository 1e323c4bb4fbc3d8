package dev.superstep.fault;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;
import org.awaitility.Awaitility;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.datasource.DriverManagerDataSource;
import org.springframework.jdbc.datasource.SingleConnectionDataSource;

/// A PostgreSQL of the suite's own, so that it may be killed and started again.
final class Postgres implements AutoCloseable {
  private static final int CONNECTIONS = 200;
  private static final int LOGINS = 4;
  private static final String LOG = "pg_wal";
  private static final String STANDBY = "standby";
  private static final Duration FOLLOWS = Duration.ofMinutes(1);

  private final Path folder;
  private final int port = Processes.freePort();
  private final AtomicInteger databases = new AtomicInteger();
  private EmbeddedPostgres server;

  Postgres(Path folder) {
    this(folder, true);
  }

  private Postgres(Path folder, boolean fresh) {
    this.folder = folder;
    this.server = launch();
    if (fresh) {
      addLogins();
    }
  }

  /// A server of its own over a backup.
  ///
  /// @param folder where [#backUp] put it
  static Postgres restored(Path folder) {
    return new Postgres(folder, false);
  }

  /// A server that follows this one by its log.
  ///
  /// @param upstream port at which it finds this one, of a proxy perhaps
  Postgres standby(Path to, int upstream) throws IOException {
    backUp(to);
    var files = to.resolve("pg");
    Files.createFile(files.resolve("standby.signal"));
    Files.writeString(
        files.resolve("postgresql.auto.conf"),
        """
        primary_conninfo = 'host=127.0.0.1 port=%d user=postgres sslmode=disable \
        gssencmode=disable application_name=%s'
        """
            .formatted(upstream, STANDBY));
    var standby = new Postgres(to, false);
    Awaitility.await("the standby to follow")
        .atMost(FOLLOWS)
        .until(() -> replication("state").contains("streaming"));
    return standby;
  }

  /// Whether commits wait for the standby; returns when it is so.
  void synchronous(boolean wanted) {
    // Neither statement can be part of a transaction, or of one text with the other.
    jdbc("postgres")
        .sql("alter system set synchronous_standby_names = '%s'".formatted(wanted ? STANDBY : ""))
        .update();
    jdbc("postgres").sql("select pg_reload_conf()").query().singleValue();
    Awaitility.await()
        .atMost(FOLLOWS)
        .until(() -> replication("sync_state").contains("sync") == wanted);
  }

  private List<String> replication(String column) {
    return jdbc("postgres")
        .sql("select %s from pg_stat_replication".formatted(column))
        .query((row, _) -> row.getString(1))
        .list();
  }

  /// Makes a standby the primary, with what it has; returns when it takes writes.
  void promote() {
    jdbc("postgres").sql("select pg_promote(true, 60)").query().singleValue();
  }

  private void addLogins() {
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

  /// What `pg_basebackup` does, which the embedded server comes without: copies the files while the
  /// server writes them, and its log behind them, from which a start makes one moment of all.
  void backUp(Path to) throws IOException {
    var connection = connection("postgres");
    try {
      var session = JdbcClient.create(connection);
      session.sql("select pg_backup_start('rehearsal', true)").query().singleValue();
      var files = Files.createDirectories(to.resolve("pg"));
      Files.setPosixFilePermissions(files, PosixFilePermissions.fromString("rwx------"));
      copy(folder.resolve("pg"), files, it -> !it.startsWith(LOG) && !it.startsWith("postmaster."));
      var label =
          session
              .sql("select labelfile from pg_backup_stop(wait_for_archive => false)")
              .query(String.class)
              .single();
      Files.writeString(files.resolve("backup_label"), label);
      copy(folder.resolve("pg"), files, it -> it.startsWith(LOG));
    } finally {
      connection.destroy();
    }
  }

  /// Files that the server deletes meanwhile are left out: the log says so.
  ///
  /// @param wanted of paths below `from`
  private static void copy(Path from, Path to, Predicate<String> wanted) throws IOException {
    Files.walkFileTree(
        from,
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult preVisitDirectory(Path folder, BasicFileAttributes ignored)
              throws IOException {
            Files.createDirectories(to.resolve(from.relativize(folder)));
            return FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult visitFile(Path file, BasicFileAttributes ignored)
              throws IOException {
            var path = from.relativize(file);
            if (wanted.test(path.toString())) {
              copy(file, to.resolve(path));
            }
            return FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult visitFileFailed(Path file, IOException failure)
              throws IOException {
            if (failure instanceof NoSuchFileException) {
              return FileVisitResult.CONTINUE;
            }
            throw failure;
          }
        });
  }

  private static void copy(Path file, Path to) throws IOException {
    try {
      Files.copy(file, to);
    } catch (NoSuchFileException _) {
      return; // deleted meanwhile
    }
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
