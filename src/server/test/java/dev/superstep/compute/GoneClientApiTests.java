package dev.superstep.compute;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.http.ApiTest;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.web.server.LocalServerPort;

/// Clients that close their connection while their request is computed. The deadline of the pool,
/// 30 s, is longer than all that is awaited here.
@ApiTest
@Timeout(60)
class GoneClientApiTests {
  private static final long SOON_S = 10;

  @LocalServerPort private int port;
  @Autowired private ComputeProbe probe;

  @BeforeEach
  void begins() {
    probe.end = new CountDownLatch(1);
    probe.events.clear();
  }

  @AfterEach
  void ends() {
    probe.end.countDown();
  }

  private Socket connect() throws IOException {
    var socket = new Socket(InetAddress.getLoopbackAddress(), port);
    socket.setSoTimeout(20_000);
    return socket;
  }

  private static void send(Socket socket, String... names) throws IOException {
    var requests = new StringBuilder();
    for (var name : names) {
      requests.append("GET /v1/probe/%s HTTP/1.1\r\nHost: localhost\r\n\r\n".formatted(name));
    }
    socket.getOutputStream().write(requests.toString().getBytes(ISO_8859_1));
  }

  private String next() throws InterruptedException {
    return String.valueOf(probe.events.poll(SOON_S, TimeUnit.SECONDS));
  }

  @Test
  void endsTheWorkOfAClientThatHasGone() throws Exception {
    try (var socket = connect()) {
      send(socket, "compute/gone");
      assertThat(next()).isEqualTo("begun gone");
    }
    assertThat(next()).isEqualTo("ended gone");
  }

  @Test
  void endsTheWorkOfAClientThatClosesItsHalf() throws Exception {
    try (var socket = connect()) {
      send(socket, "compute/half");
      assertThat(next()).isEqualTo("begun half");
      socket.shutdownOutput();
      assertThat(next()).isEqualTo("ended half");
      var answer = new String(socket.getInputStream().readAllBytes(), ISO_8859_1);
      assertThat(answer).startsWith("HTTP/1.1 400").contains("closed its connection");
    }
  }

  @Test
  void endsWhatIsReadForAClientThatHasGone() throws Exception {
    try (var socket = connect()) {
      send(socket, "reads/large");
      assertThat(next()).isEqualTo("begun large");
      assertThat(next()).isEqualTo("goes on large");
    }
    assertThat(next()).isEqualTo("ended large");
  }

  @Test
  void keepsTheNextRequestOfAClientThatDoesNotWaitForAnAnswer() throws Exception {
    try (var socket = connect()) {
      send(socket, "compute/first");
      assertThat(next()).isEqualTo("begun first");
      send(socket, "compute/second", "compute/third");
      // Several looks at the connection.
      assertThat(probe.events.poll(1, TimeUnit.SECONDS)).isNull();
      probe.end.countDown();
      var answers = new StringBuilder();
      while (answers.indexOf("done third") < 0) {
        answers.append((char) socket.getInputStream().read());
      }
      assertThat(answers).containsSubsequence("done first", "done second", "done third");
    }
  }
}
