package dev.superstep.database;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import javax.sql.DataSource;
import org.awaitility.Awaitility;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.testcontainers.DockerClientFactory;
import org.testcontainers.postgresql.PostgreSQLContainer;

/// The one PostgreSQL server of a test JVM. The system property `superstep.test.docker=false`
/// chooses the embedded one even where Docker is available.
record TestServer(String address, String username, String password) {

  private static final String IMAGE = "postgres:18-alpine";
  private static final int PORT = 5432;
  private static final Duration CLOSING_MAX = Duration.ofSeconds(20);

  private static final class Holder {
    static final TestServer SHARED = dockerWanted() ? container() : embedded();
  }

  static TestServer shared() {
    return Holder.SHARED;
  }

  String url(String database) {
    return "jdbc:postgresql://%s/%s".formatted(address, database);
  }

  private static boolean dockerWanted() {
    return Boolean.parseBoolean(System.getProperty("superstep.test.docker", "true"))
        && DockerClientFactory.instance().isDockerAvailable();
  }

  /// Lives until the JVM ends: Testcontainers removes it.
  @SuppressWarnings("resource")
  private static TestServer container() {
    PostgreSQLContainer container = new PostgreSQLContainer(IMAGE);
    container.start();
    return new TestServer(
        container.getHost() + ":" + container.getMappedPort(PORT),
        container.getUsername(),
        container.getPassword());
  }

  /// No test of this JVM cuts the power: what the kernel has is on disk for them.
  private static TestServer embedded() {
    try {
      EmbeddedPostgres server =
          EmbeddedPostgres.builder()
              .setLocaleConfig("locale", "C.UTF-8")
              .setServerConfig("listen_addresses", "127.0.0.1")
              .setServerConfig("unix_socket_directories", "")
              .setServerConfig("synchronous_commit", "on")
              // the applications of a JVM's tests are kept, each with its pools
              .setServerConfig("max_connections", "600")
              .setServerConfig("fsync", "off")
              .setServerConfig("full_page_writes", "off")
              .setRegisterShutdownHook(false)
              .start();
      Runtime.getRuntime().addShutdownHook(new Thread(() -> stopBehindItsUsers(server)));
      return new TestServer("127.0.0.1:" + server.getPort(), "postgres", "");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /// Spring contexts stop at the same moment, and one whose database is gone waits for it to come
  /// back.
  private static void stopBehindItsUsers(EmbeddedPostgres server) {
    try (server) {
      Awaitility.await()
          .atMost(CLOSING_MAX)
          .until(() -> connections(server.getPostgresDatabase()) == 0);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static int connections(DataSource database) {
    return JdbcClient.create(database)
        .sql("select count(*) from pg_stat_activity where datname like 'test%'")
        .query(Integer.class)
        .single();
  }
}
