package dev.superstep.database;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.DriverManager;
import java.sql.SQLException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.api.io.TempDir;

@TestInstance(Lifecycle.PER_CLASS)
class EmbeddedDatabaseSettingsTests {

  private Path folder;
  private EmbeddedDatabase database;

  @BeforeAll
  void start(@TempDir Path parent) {
    folder = parent.resolve("data");
    database = EmbeddedDatabase.start(folder);
  }

  @AfterAll
  void stop() {
    database.close();
  }

  @Test
  void keepsItsFolderToItsOwner() throws Exception {
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(folder)))
        .isEqualTo("rwx------");
  }

  @Test
  void writesToDiskBeforeItAcknowledges() throws SQLException {
    assertThat(EmbeddedDatabaseTests.query(database, "show fsync")).isEqualTo("on");
    assertThat(EmbeddedDatabaseTests.query(database, "show synchronous_commit")).isEqualTo("on");
    assertThat(EmbeddedDatabaseTests.query(database, "show full_page_writes")).isEqualTo("on");
  }

  @Test
  void listensOnLoopbackOnlyAndAsksForThePassword() throws SQLException {
    assertThat(EmbeddedDatabaseTests.query(database, "show listen_addresses"))
        .isEqualTo("127.0.0.1");
    assertThatThrownBy(
            () -> DriverManager.getConnection(database.getJdbcUrl(), "superstep", "wrong").close())
        .hasMessageContaining("password authentication failed");
  }

  @Test
  void sortsByCodePointInUtf8() throws SQLException {
    assertThat(EmbeddedDatabaseTests.query(database, "show server_encoding")).isEqualTo("UTF8");
    assertThat(EmbeddedDatabaseTests.query(database, "select ('a' > 'B')::text")).isEqualTo("true");
    assertThat(EmbeddedDatabaseTests.query(database, "select upper('ä')")).isEqualTo("Ä");
  }

  /// So that a first start needs no locale of the system.
  @Test
  void bringsItsLocale() throws SQLException {
    var provider =
        "select datlocprovider::text || datlocale from pg_database where datname ="
            + " current_database()";
    assertThat(EmbeddedDatabaseTests.query(database, provider)).isEqualTo("bC.UTF-8");
  }
}
