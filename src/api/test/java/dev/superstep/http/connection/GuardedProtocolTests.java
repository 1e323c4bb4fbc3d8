package dev.superstep.http.connection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.OutputStream;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.Socket;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.catalina.connector.Connector;
import org.apache.catalina.startup.Tomcat;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// The container with the guard and nothing else.
@Timeout(60)
class GuardedProtocolTests {
  private static final int CONNECTIONS_MAX = 5;
  private final Tomcat tomcat = new Tomcat();
  private final List<Socket> sockets = new ArrayList<>();
  private int port;

  private void start(Duration headMax, java.nio.file.Path folder) throws Exception {
    tomcat.setBaseDir(folder.toString());
    var connector = new Connector(GuardedProtocol.class.getName());
    connector.setPort(0);
    ((GuardedProtocol) connector.getProtocolHandler())
        .guard(new ConnectionSettings(CONNECTIONS_MAX, List.of(), headMax));
    tomcat.setConnector(connector);
    tomcat.addContext("", null);
    tomcat.start();
    port = connector.getLocalPort();
  }

  @AfterEach
  void stop() throws Exception {
    for (var socket : sockets) {
      socket.close();
    }
    tomcat.stop();
    tomcat.destroy();
  }

  private Socket connect(InetAddress address) throws IOException {
    var socket = new Socket(address, port);
    socket.setSoTimeout(20_000);
    sockets.add(socket);
    return socket;
  }

  /// Each byte comes well within the time-out of a read.
  @Test
  void endsARequestWhoseHeadDrips(@TempDir java.nio.file.Path folder) throws Exception {
    start(Duration.ofSeconds(1), folder);
    var dripping = connect(InetAddress.getLoopbackAddress());
    write(dripping, "GET / HTTP/1.1\r\nHost: localhost\r\nX-Slow: ");

    Awaitility.await().until(() -> isEnded(dripping));
  }

  private static boolean isEnded(Socket socket) {
    try {
      write(socket, "x");
      return socket.getInputStream().available() > 0;
    } catch (IOException e) {
      return true;
    }
  }

  @Test
  void leavesAnIdleConnectionToTheTimeOutOfKeptOnes(@TempDir java.nio.file.Path folder)
      throws Exception {
    start(Duration.ofSeconds(1), folder);
    var kept = connect(InetAddress.getLoopbackAddress());
    assertThat(request(kept)).contains("404");
    var dripping = connect(InetAddress.getLoopbackAddress());
    write(dripping, "GET / HTTP/1.1\r\nX-Slow: ");
    Awaitility.await().until(() -> isEnded(dripping));

    assertThat(request(kept)).contains("404");
  }

  /// As when the process is asked to end.
  @Test
  void saysOnKeptConnectionsThatItKeepsNone(@TempDir java.nio.file.Path folder) throws Exception {
    start(Duration.ofSeconds(30), folder);
    var kept = connect(InetAddress.getLoopbackAddress());
    assertThat(request(kept)).contains("404").doesNotContain("Connection: close");

    ((GuardedProtocol) tomcat.getConnector().getProtocolHandler()).keepNoConnection();

    assertThat(request(kept)).contains("404").contains("Connection: close");
    assertThat(kept.getInputStream().transferTo(OutputStream.nullOutputStream())).isNotNegative();
  }

  @Test
  void closesConnectionsOfAnAddressThatHasTooMany(@TempDir java.nio.file.Path folder)
      throws Exception {
    var outside = outside();
    assumeTrue(outside.isPresent(), "this machine has no address but loopback");
    start(Duration.ofSeconds(30), folder);
    for (int i = 0; i < CONNECTIONS_MAX; i++) {
      assertThat(request(connect(outside.get()))).contains("404");
    }

    assertThat(request(connect(outside.get()))).isEmpty();
    assertThat(request(connect(InetAddress.getLoopbackAddress()))).contains("404");

    sockets.getFirst().close();
    Awaitility.await()
        .untilAsserted(() -> assertThat(request(connect(outside.get()))).contains("404"));
  }

  private static Optional<InetAddress> outside() throws SocketException {
    return NetworkInterface.networkInterfaces()
        .flatMap(NetworkInterface::inetAddresses)
        .filter(it -> it instanceof Inet4Address && !it.isLoopbackAddress())
        .findFirst();
  }

  private static void write(Socket socket, String text) throws IOException {
    socket.getOutputStream().write(text.getBytes(StandardCharsets.US_ASCII));
  }

  /// The first bytes of the answer; "" if the connection was closed.
  private static String request(Socket socket) throws IOException {
    try {
      write(socket, "GET / HTTP/1.1\r\nHost: localhost\r\n\r\n");
      var answer = new byte[100_000];
      int read = socket.getInputStream().read(answer);
      return read < 0 ? "" : new String(answer, 0, read, StandardCharsets.US_ASCII);
    } catch (SocketException e) {
      return "";
    }
  }
}
