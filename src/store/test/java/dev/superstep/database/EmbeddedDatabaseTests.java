package dev.superstep.database;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import org.flywaydb.core.Flyway;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.jdbc.autoconfigure.JdbcConnectionDetails;
import org.springframework.jdbc.datasource.DriverManagerDataSource;

class EmbeddedDatabaseTests {

  @TempDir Path folder;

  @Test
  void keepsItsDataAcrossARestart() throws SQLException {
    try (EmbeddedDatabase database = EmbeddedDatabase.start(folder)) {
      execute(database, "create table kept as select 42 as answer");
    }

    try (EmbeddedDatabase database = EmbeddedDatabase.start(folder)) {
      assertThat(query(database, "select answer from kept")).isEqualTo("42");
    }
  }

  /// Also in a folder from before there were tenants.
  @Test
  void letsTheServiceKeepTenantsApart() throws SQLException {
    try (EmbeddedDatabase database = EmbeddedDatabase.start(folder);
        var administrator =
            DriverManager.getConnection(
                database.getJdbcUrl(), "postgres", database.getPassword())) {
      administrator.createStatement().execute("alter role superstep nocreaterole");
    }

    try (EmbeddedDatabase database = EmbeddedDatabase.start(folder)) {
      var owner =
          new DriverManagerDataSource(
              database.getJdbcUrl(), database.getUsername(), database.getPassword());
      Flyway.configure().dataSource(owner).locations(MigrationFolder.LOCATION).load().migrate();
      var server = ServerCheck.of(database, false, "");
      assertThat(RowSecurity.on(owner, server).role()).startsWith("superstep.");
    }
  }

  @Test
  void beginsAnewAfterAnInterruptedFirstStart() throws IOException, SQLException {
    Files.createDirectories(folder.resolve("pg"));
    Files.writeString(folder.resolve("pg/postgresql.conf"), "# initdb was killed here");
    Files.writeString(folder.resolve("pg.incomplete"), "");

    try (EmbeddedDatabase database = EmbeddedDatabase.start(folder)) {
      assertThat(query(database, "select 1")).isEqualTo("1");
    }
  }

  @Test
  void startsAlthoughTheProcessNumberOfADeadServerBelongsToAnotherNow()
      throws IOException, SQLException {
    EmbeddedDatabase.start(folder).close();
    Files.writeString(
        folder.resolve("pg/postmaster.pid"), ProcessHandle.current().pid() + "\n" + folder);

    try (EmbeddedDatabase database = EmbeddedDatabase.start(folder)) {
      assertThat(query(database, "select 1")).isEqualTo("1");
    }
  }

  @Test
  void stopsTheServerThatAKilledProcessLeftBehind() throws Exception {
    Process owner = ownerProcess();
    ProcessHandle server = server();
    owner.destroyForcibly().waitFor();
    assertThat(server.isAlive()).isTrue();

    try (EmbeddedDatabase database = EmbeddedDatabase.start(folder)) {
      assertThat(server.isAlive()).isFalse();
      assertThat(query(database, "select answer from kept")).isEqualTo("42");
    }
  }

  @Test
  void refusesAFolderThatALiveProcessHoldsAndLeavesItsServerAlone() throws Exception {
    Process owner = ownerProcess();
    try {
      assertThatThrownBy(() -> EmbeddedDatabase.start(folder).close())
          .isInstanceOf(EmbeddedDatabaseException.class)
          .hasMessageContaining("in use by the process " + owner.pid());
      assertThat(server().isAlive()).isTrue();
    } finally {
      owner.getOutputStream().close();
      assertThat(owner.waitFor(30, SECONDS)).isTrue();
    }
  }

  /// As the OOM killer does it.
  @Test
  void startsItsServerAgainWhenThatIsKilled() throws Exception {
    try (EmbeddedDatabase database = EmbeddedDatabase.start(folder)) {
      execute(database, "create table kept as select 42 as answer");
      long killed = server().pid();
      assertThat(server().destroyForcibly()).isTrue();

      await()
          .atMost(Duration.ofSeconds(60))
          .ignoreExceptionsInstanceOf(SQLException.class)
          .untilAsserted(
              () -> assertThat(query(database, "select answer from kept")).isEqualTo("42"));
      assertThat(server().pid()).isNotEqualTo(killed);
    }
    assertThat(folder.resolve("pg/postmaster.pid")).doesNotExist();
  }

  private Process ownerProcess() throws IOException {
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                System.getProperty("java.class.path"),
                DatabaseOwner.class.getName(),
                folder.toString())
            .redirectError(ProcessBuilder.Redirect.DISCARD)
            .start();
    assertThat(process.inputReader().lines().anyMatch("ready"::equals)).isTrue();
    return process;
  }

  private ProcessHandle server() throws IOException {
    long pid = Long.parseLong(Files.readAllLines(folder.resolve("pg/postmaster.pid")).getFirst());
    return ProcessHandle.of(pid).orElseThrow();
  }

  static void execute(JdbcConnectionDetails database, String sql) throws SQLException {
    try (Connection connection = connect(database);
        Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  static String query(JdbcConnectionDetails database, String sql) throws SQLException {
    try (Connection connection = connect(database);
        Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery(sql)) {
      assertThat(rows.next()).isTrue();
      return rows.getString(1);
    }
  }

  private static Connection connect(JdbcConnectionDetails database) throws SQLException {
    return DriverManager.getConnection(
        database.getJdbcUrl(), database.getUsername(), database.getPassword());
  }
}
