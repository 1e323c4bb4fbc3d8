package dev.superstep.database;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Assumptions;
import org.springframework.boot.jdbc.autoconfigure.JdbcConnectionDetails;

/// A PgBouncer before the server of the tests, on machines that have one or can install it.
public final class PgBouncer implements AutoCloseable {
  private static final Path PROGRAM = Path.of("/usr/sbin/pgbouncer");

  private final Path folder;
  private final Process process;
  private final int port;

  private PgBouncer(Path folder, Process process, int port) {
    this.folder = folder;
    this.process = process;
    this.port = port;
  }

  /// Skips the test where there is none, and it cannot be installed.
  public static PgBouncer start(JdbcConnectionDetails server, String... settings)
      throws IOException, InterruptedException {
    Assumptions.assumeTrue(isThere(), "no PgBouncer, and no way to install one");
    var address = URI.create(server.getJdbcUrl().substring("jdbc:".length()));
    var folder = Files.createTempDirectory("pgbouncer");
    Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxrwxrwx"));
    int port;
    try (var free = new ServerSocket(0)) {
      port = free.getLocalPort();
    }
    Files.writeString(
        folder.resolve("users"),
        "\"%s\" \"%s\"\n".formatted(server.getUsername(), orEmpty(server.getPassword())));
    Files.writeString(
        folder.resolve("pgbouncer.ini"),
        """
        [databases]
        * = host=%s port=%d
        [pgbouncer]
        listen_addr = 127.0.0.1
        listen_port = %d
        unix_socket_dir =
        auth_type = trust
        auth_file = %s
        %s
        """
            .formatted(
                address.getHost(),
                address.getPort(),
                port,
                folder.resolve("users"),
                String.join("\n", settings)));
    var process =
        new ProcessBuilder(command(folder.resolve("pgbouncer.ini")))
            .redirectErrorStream(true)
            .redirectOutput(folder.resolve("log").toFile())
            .start();
    var pgBouncer = new PgBouncer(folder, process, port);
    Awaitility.await("PgBouncer, " + folder).until(pgBouncer::answers);
    return pgBouncer;
  }

  private static String orEmpty(@Nullable String text) {
    return Objects.requireNonNullElse(text, "");
  }

  /// It refuses to run as root.
  private static List<String> command(Path settings) {
    return isRoot()
        ? List.of(
            "setpriv", "--reuid=65534", "--clear-groups", PROGRAM.toString(), settings.toString())
        : List.of(PROGRAM.toString(), settings.toString());
  }

  private static boolean isRoot() {
    return "root".equals(System.getProperty("user.name"));
  }

  private static boolean isThere() throws IOException, InterruptedException {
    if (!Files.isExecutable(PROGRAM) && isRoot() && Files.exists(Path.of("/usr/bin/apt-get"))) {
      var install =
          new ProcessBuilder("apt-get", "install", "-y", "-q", "pgbouncer")
              .redirectErrorStream(true)
              .redirectOutput(ProcessBuilder.Redirect.DISCARD)
              .start();
      if (!install.waitFor(3, TimeUnit.MINUTES)) {
        install.destroyForcibly();
      }
    }
    return Files.isExecutable(PROGRAM);
  }

  private boolean answers() {
    try (var socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
      return socket.isConnected();
    } catch (IOException _) {
      return false;
    }
  }

  /// The same database, through the pooler.
  public JdbcConnectionDetails before(JdbcConnectionDetails server, String parameters) {
    var url =
        server.getJdbcUrl().replaceFirst("//[^/]*/", "//127.0.0.1:%d/".formatted(port))
            + parameters;
    return new Address(url, orEmpty(server.getUsername()), orEmpty(server.getPassword()));
  }

  private record Address(String getJdbcUrl, String getUsername, String getPassword)
      implements JdbcConnectionDetails {}

  @Override
  public void close() {
    process.destroy();
    Awaitility.await().until(() -> !process.isAlive());
  }

  @Override
  public String toString() {
    return folder.toString();
  }
}
