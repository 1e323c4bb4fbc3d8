package dev.superstep.http;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Objects;
import org.apache.catalina.connector.Connector;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.boot.tomcat.TomcatWebServer;
import org.springframework.boot.web.server.servlet.context.ServletWebServerApplicationContext;

/// Many clients that connect at once.
@ApiTest
class BurstApiTests {
  private static final int CLIENTS = 500;

  /// Shorter than the second after which a client whose connection did not fit in tries again.
  private static final int CONNECT_MS = 900;

  private static final Path SYSTEM_LIMIT = Path.of("/proc/sys/net/core/somaxconn");

  @LocalServerPort private int port;

  @Test
  void letsConnectionsWaitThatComeFasterThanTheyAreAccepted(
      @Autowired ServletWebServerApplicationContext context) throws Exception {
    assumeTrue(systemLimit() > CLIENTS, "the system lets fewer connections wait");
    var connector = connector(context);
    var clients = new ArrayList<Socket>();
    connector.pause();
    try {
      for (int i = 0; i < CLIENTS; i++) {
        var client = new Socket();
        clients.add(client);
        var address = new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
        assertThatCode(() -> client.connect(address, CONNECT_MS))
            .as("connection %d", i)
            .doesNotThrowAnyException();
      }
    } finally {
      connector.resume();
      for (var client : clients) {
        client.close();
      }
    }
  }

  private static int systemLimit() throws Exception {
    return Files.exists(SYSTEM_LIMIT)
        ? Integer.parseInt(Files.readAllLines(SYSTEM_LIMIT).getFirst())
        : 0;
  }

  private static Connector connector(ServletWebServerApplicationContext context) {
    var server = (TomcatWebServer) Objects.requireNonNull(context.getWebServer());
    return server.getTomcat().getConnector();
  }
}
