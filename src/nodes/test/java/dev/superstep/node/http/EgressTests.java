package dev.superstep.node.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.engine.run.TaskError;
import dev.superstep.graph.RetryPolicy.Retryable;
import dev.superstep.node.TestCall;
import java.net.InetAddress;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// The guard as a whole: real requests against a real server on loopback.
@Timeout(30)
class EgressTests {
  private static final List<InetAddress> LOOPBACK = List.of(InetAddress.ofLiteral("127.0.0.1"));
  private final TestServer server = new TestServer().on("/", 200, "{}");

  @AfterEach
  void close() {
    server.close();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "http://127.0.0.1:%d/",
        "http://localhost:%d/",
        "http://localhost.:%d/",
        "http://[::ffff:7f00:1]:%d/",
        "http://0.0.0.0:%d/",
        "http://169.254.169.254/latest/meta-data#%d",
      })
  void refusesPrivateAddressesByDefault(String url) throws Exception {
    try (var nodes = TestNodes.guarded(NameResolver.system())) {
      var error = nodes.failed(TestCall.plain(), "{'url': '" + url + "'}", server.port());
      assertThat(error)
          .extracting(TaskError::code, TaskError::retryable)
          .containsExactly("egress_refused", Retryable.NO);
      assertThat(error.message()).contains("SUPERSTEP_EGRESS_ALLOW");
      assertThat(server.requests).isEmpty();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"http://2130706433:%d/", "http://0x7f.0.0.1:%d/", "http://127.1:%d/"})
  void refusesDisguisedAddressesOfATemplate(String url) throws Exception {
    try (var nodes = TestNodes.onLoopback()) {
      var error =
          nodes.failed(
              TestCall.plain().state("{\"url\": \"%s\"}".formatted(url.formatted(server.port()))),
              "{'url': '{{ state.url }}'}");
      assertThat(error.code()).isEqualTo("http_bad_request");
      assertThat(server.requests).isEmpty();
    }
  }

  /// A name that answers differently the second time cannot slip through: what was checked is what
  /// is connected to.
  @Test
  void asksForANameOncePerConnection() throws Exception {
    var asked = new AtomicInteger();
    NameResolver names =
        _ ->
            asked.getAndIncrement() == 0
                ? LOOPBACK
                : List.of(InetAddress.ofLiteral("10.255.255.1"));
    try (var nodes = TestNodes.guarded(names, "rebinding.example:*")) {
      nodes.done(TestCall.plain(), "{'url': 'http://rebinding.example:%d/'}", server.port());
      assertThat(asked).hasValue(1);
      assertThat(server.requests.getFirst().header("Host"))
          .isEqualTo("rebinding.example:" + server.port());
    }
  }

  @Test
  void checksANameAgainForEveryConnection() throws Exception {
    var asked = new AtomicInteger();
    NameResolver names =
        _ -> asked.getAndIncrement() == 0 ? List.of(InetAddress.ofLiteral("8.8.8.8")) : LOOPBACK;
    try (var nodes = TestNodes.guarded(names)) {
      var call = TestCall.plain().deadline(TestCall.NOW.plusMillis(300));
      assertThat(
              nodes.failed(call, "{'url': 'http://rebinding.example:%d/'}", server.port()).code())
          .isNotEqualTo("egress_refused");
      assertThat(
              nodes.failed(call, "{'url': 'http://rebinding.example:%d/'}", server.port()).code())
          .isEqualTo("egress_refused");
      assertThat(server.requests).isEmpty();
    }
  }

  @Test
  void refusesARedirectUnlessToldToFollow() throws Exception {
    try (var nodes = TestNodes.onLoopback()) {
      server.on("/moved", 302, "", "Location", "/");
      var error = nodes.failed(TestCall.plain(), "{'url': '%s'}", server.url("/moved"));
      assertThat(error)
          .extracting(TaskError::code, TaskError::retryable)
          .containsExactly("http_302", Retryable.NO);
      assertThat(error.message()).contains("follow_redirects");
    }
  }

  @ParameterizedTest
  @CsvSource({"301, POST", "302, POST", "303, GET", "307, POST", "308, POST"})
  void followsARedirectWhenTold(int status, String method) throws Exception {
    try (var nodes = TestNodes.onLoopback()) {
      server.on("/moved", status, "", "Location", "/here").on("/here", 200, "{}");
      nodes.done(TestCall.plain(), "{'url': '%s', 'follow_redirects': true}", server.url("/moved"));
      assertThat(server.requests.getLast().path()).isEqualTo("/here");
      assertThat(server.requests.getLast().method()).isEqualTo(method);
    }
  }

  @ParameterizedTest
  @CsvSource({
    "http://10.0.0.1/, egress_refused",
    "http://169.254.169.254/, egress_refused",
    "http://[::1]:9/, egress_refused",
    "file:///etc/passwd, http_bad_request",
    "http://user:pw@127.0.0.1/, http_bad_request",
  })
  void checksWhereARedirectLeads(String location, String code) throws Exception {
    try (var nodes = TestNodes.onLoopback()) {
      server.on("/moved", 307, "", "Location", location);
      assertThat(
              nodes
                  .failed(
                      TestCall.plain(),
                      "{'url': '%s', 'follow_redirects': true}",
                      server.url("/moved"))
                  .code())
          .isEqualTo(code);
    }
  }

  @Test
  void keepsCredentialsFromOtherOrigins() throws Exception {
    try (var nodes = TestNodes.onLoopback();
        var other = new TestServer().on("/", 200, "{}")) {
      server.on("/away", 307, "", "Location", other.url("/x"));
      nodes.done(
          TestCall.plain(),
          "{'url': '%s', 'follow_redirects': true, 'headers':"
              + " {'Authorization': 'Bearer x', 'X-Api-Key': 'k', 'Accept': 'application/json'}}",
          server.url("/away"));
      var request = other.requests.getFirst();
      assertThat(request.headers()).doesNotContainKeys("Authorization", "X-api-key");
      assertThat(request.header("Accept")).isEqualTo("application/json");
      assertThat(request.header("Idempotency-key")).isEqualTo("key-1");
      assertThat(server.requests.getFirst().header("Authorization")).isEqualTo("Bearer x");
    }
  }

  @Test
  void keepsCredentialsWithinAnOrigin() throws Exception {
    try (var nodes = TestNodes.onLoopback()) {
      server.on("/moved", 307, "", "Location", "/x");
      nodes.done(
          TestCall.plain(),
          "{'url': '%s', 'follow_redirects': true, 'headers': {'Authorization': 'Bearer x'}}",
          server.url("/moved"));
      assertThat(server.requests.getLast().header("Authorization")).isEqualTo("Bearer x");
    }
  }

  @Test
  void givesUpOnRedirectsInACircle() throws Exception {
    try (var nodes = TestNodes.onLoopback()) {
      server.on("/circle", 302, "", "Location", "/circle");
      var error =
          nodes.failed(
              TestCall.plain(), "{'url': '%s', 'follow_redirects': true}", server.url("/circle"));
      assertThat(error.message()).contains("gave up after 5 redirects");
      assertThat(server.requests).hasSize(6);
    }
  }
}
