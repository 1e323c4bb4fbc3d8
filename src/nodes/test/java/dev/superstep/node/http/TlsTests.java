package dev.superstep.node.http;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import dev.superstep.engine.run.TaskError;
import dev.superstep.graph.RetryPolicy.Retryable;
import dev.superstep.node.TestCall;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// TLS against a real server whose certificate is for `node.example`.
@Timeout(60)
class TlsTests {
  private static final char[] PASSWORD = "password".toCharArray();
  private static final NameResolver NAMES = _ -> List.of(InetAddress.ofLiteral("127.0.0.1"));
  @TempDir private static Path folder;
  private static HttpsServer server;
  private static SSLContext trusting;

  @BeforeAll
  static void start() throws Exception {
    var file = folder.resolve("keys.p12");
    makeKeys(file);
    var keys = KeyStore.getInstance(file.toFile(), PASSWORD);
    var serving = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
    serving.init(keys, PASSWORD);
    var trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    trust.init(trusted(keys));
    trusting = SSLContext.getInstance("TLS");
    trusting.init(null, trust.getTrustManagers(), null);
    var identity = SSLContext.getInstance("TLS");
    identity.init(serving.getKeyManagers(), null, null);
    server = HttpsServer.create(new InetSocketAddress(InetAddress.ofLiteral("127.0.0.1"), 0), 0);
    server.setHttpsConfigurator(new HttpsConfigurator(identity));
    server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
    server.createContext(
        "/",
        exchange -> {
          try (exchange) {
            exchange.getRequestBody().readAllBytes();
            TestServer.send(exchange, 200, "{}");
          }
        });
    server.start();
  }

  @AfterAll
  static void stop() {
    server.stop(0);
  }

  private static void makeKeys(Path file) throws IOException, InterruptedException {
    var tool = Path.of(System.getProperty("java.home"), "bin", "keytool");
    var process =
        new ProcessBuilder(
                tool.toString(),
                "-genkeypair",
                "-alias",
                "node",
                "-keyalg",
                "EC",
                "-dname",
                "CN=node.example",
                "-ext",
                "san=dns:node.example",
                "-storetype",
                "PKCS12",
                "-keystore",
                file.toString(),
                "-storepass",
                new String(PASSWORD))
            .redirectErrorStream(true)
            .redirectOutput(folder.resolve("keytool.log").toFile())
            .start();
    assertThat(process.waitFor(40, TimeUnit.SECONDS)).isTrue();
    assertThat(file).as(Files.readString(folder.resolve("keytool.log"))).exists();
  }

  private static KeyStore trusted(KeyStore keys) throws Exception {
    var trusted = KeyStore.getInstance("PKCS12");
    trusted.load(null, null);
    trusted.setCertificateEntry("node", keys.getCertificate("node"));
    return trusted;
  }

  /// The name of the URL is what the certificate is checked against, although the client connects
  /// to an address that was resolved before.
  @Test
  void checksTheCertificateAgainstTheName() throws Exception {
    try (var nodes = new TestNodes(NAMES, trusting, "*.example:*")) {
      nodes.done(TestCall.plain(), "{'url': 'https://node.example:%d/'}", port());
      var error = nodes.failed(TestCall.plain(), "{'url': 'https://other.example:%d/'}", port());
      assertThat(error)
          .extracting(TaskError::code, TaskError::retryable)
          .containsExactly("http_unreachable", Retryable.YES);
      assertThat(error.message()).contains("other.example");
    }
  }

  @Test
  void trustsNoUnknownCertificate() throws Exception {
    try (var nodes = new TestNodes(NAMES, SSLContext.getDefault(), "*.example:*")) {
      assertThat(
              nodes.failed(TestCall.plain(), "{'url': 'https://node.example:%d/'}", port()).code())
          .isEqualTo("http_unreachable");
    }
  }

  private static int port() {
    return server.getAddress().getPort();
  }
}
