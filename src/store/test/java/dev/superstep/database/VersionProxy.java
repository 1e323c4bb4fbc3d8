package dev.superstep.database;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.Objects;
import org.springframework.boot.jdbc.autoconfigure.JdbcConnectionDetails;

/// The server of a database, which says that it is of another version: the six digits of
/// `server_version_num` are replaced in what it sends.
final class VersionProxy implements Closeable {
  private static final int BUFFER_BYTES = 1 << 16;

  private final ServerSocket socket = new ServerSocket(0, 0, InetAddress.getLoopbackAddress());
  private final JdbcConnectionDetails server;
  private final URI address;
  private final String actual;
  private final String version;

  VersionProxy(JdbcConnectionDetails server, String version) throws IOException, SQLException {
    this.server = server;
    this.version = version;
    this.address = URI.create(server.getJdbcUrl().substring("jdbc:".length()));
    this.actual = version(server);
    Thread.ofVirtual().start(this::accept);
  }

  private static String version(JdbcConnectionDetails server) throws SQLException {
    try (var connection =
            DriverManager.getConnection(
                server.getJdbcUrl(), server.getUsername(), server.getPassword());
        var statement = connection.createStatement();
        var found = statement.executeQuery("show server_version_num")) {
      found.next();
      return Objects.requireNonNull(found.getString(1));
    }
  }

  JdbcConnectionDetails database() {
    return new JdbcConnectionDetails() {
      @Override
      public String getJdbcUrl() {
        return "jdbc:postgresql://127.0.0.1:%d%s?sslmode=disable&gssEncMode=disable"
            .formatted(socket.getLocalPort(), address.getPath());
      }

      @Override
      public String getUsername() {
        return Objects.requireNonNull(server.getUsername());
      }

      @Override
      public String getPassword() {
        return Objects.requireNonNull(server.getPassword());
      }
    };
  }

  private void accept() {
    try {
      while (true) {
        var client = socket.accept();
        var behind = new Socket(address.getHost(), address.getPort());
        Thread.ofVirtual().start(() -> copy(client, behind, actual));
        Thread.ofVirtual().start(() -> copy(behind, client, version));
      }
    } catch (IOException _) {
      return; // closed
    }
  }

  /// @param shown in place of the version of the server
  private void copy(Socket from, Socket to, String shown) {
    try (from;
        to;
        InputStream in = from.getInputStream();
        OutputStream out = to.getOutputStream()) {
      var buffer = new byte[BUFFER_BYTES];
      for (int read = in.read(buffer); read >= 0; read = in.read(buffer)) {
        var sent = new String(buffer, 0, read, ISO_8859_1).replace(actual, shown);
        out.write(sent.getBytes(ISO_8859_1));
      }
    } catch (IOException _) {
      return; // the other half has ended
    }
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }
}
