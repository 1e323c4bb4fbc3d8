package dev.superstep.agent;

import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.fault.ReplicaPair;
import dev.superstep.json.Json;
import dev.superstep.security.AuthorizationServer;
import dev.superstep.state.value.Value;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// The token of who has started a run is in the memory of one replica of two, which is killed with
/// SIGKILL between a question and its answer: at the other one the run asks its starter, acts with
/// the fresh token, and calls nothing again.
@Tag("fault")
class OnBehalfSigkillIT {
  private static final String OPERATOR = "operator-of-this-test";
  private static final Duration HOUR = Duration.ofHours(1);

  private static final String RUN =
      """
      {"graph": "acts", "input": {"messages": [{"role": "assistant", "content": "",
       "tool_calls": [{"id": "c", "name": "filed", "arguments": {}}]}]}}
      """;

  @TempDir Path folder;

  @Test
  @Timeout(value = 5, unit = TimeUnit.MINUTES)
  void asksTheStarterAtTheOtherReplicaAndCallsNothingTwice() throws Exception {
    var issuer = AuthorizationServer.start();
    try (var parts = new OnBehalfParts(Files.createDirectories(folder.resolve("parts")));
        var pair = new ReplicaPair(folder, settings(issuer, parts))) {
      pair.start();
      var killed = new Service(pair.first().port());
      var other = new Service(pair.second().port());
      var posted = killed.post("/v1/graphs", Json.read(graph(parts.url())), bearer(OPERATOR));
      assertThat(Service.at(posted, "/version")).as(posted.toString()).isNotEqualTo(Value.NULL);

      var asks = start(killed, token(issuer, "ada", HOUR));
      var asksFirst = start(killed, token(issuer, "ada", HOUR));
      var asked = start(killed, token(issuer, "ada", Duration.ofSeconds(5)));
      asked = requiresToken(answer(killed, asked, token(issuer, "vera", HOUR)));
      pair.first().kill();

      var vera = token(issuer, "vera", HOUR);
      asks = requiresToken(answer(other, asks, vera));
      assertThat(Service.text(answer(other, asks, vera), "/code")).isEqualTo("forbidden");
      assertThat(parts.arrivals("/filed")).isEmpty();
      for (var run : List.of(asks, asksFirst, asked)) {
        int before = parts.arrivals("/filed").size();
        var fresh = token(issuer, "ada", HOUR);
        var ended = answer(other, run, fresh);

        assertThat(Service.text(ended, "/status")).as(ended.toString()).isEqualTo("succeeded");
        assertThat(parts.arrivals("/filed")).hasSize(before + 1);
        assertThat(parts.arrivals("/filed").getLast().authorization()).isEqualTo("Bearer " + fresh);
      }
      assertThat(parts.arrivals("/effect")).hasSize(3);
    } finally {
      issuer.close();
    }
  }

  private static Map<String, String> settings(AuthorizationServer issuer, OnBehalfParts parts) {
    var json =
        """
        {"superstep": {
          "auth": {"jwt": {"issuer": "%s", "audience": "%s", "scope-prefix": "superstep:"}},
          "tools": {"http": {"filed": {"url": "%s/filed",
            "on-behalf-of": {"subject": "pass", "audience": "%2$s"}}}}}}
        """
            .formatted(issuer.issuer(), AuthorizationServer.AUDIENCE, parts.url());
    return Map.of(
        "SUPERSTEP_APIKEYS", OPERATOR, "SUPERSTEP_LEASE", "2s", "SPRING_APPLICATION_JSON", json);
  }

  private static Map<String, String> bearer(String token) {
    return Map.of("Authorization", "Bearer " + token);
  }

  private static String token(AuthorizationServer issuer, String subject, Duration lifetime) {
    return issuer.token(
        subject,
        lifetime,
        List.of(AuthorizationServer.AUDIENCE),
        "superstep:read",
        "superstep:run",
        "superstep:answer");
  }

  /// As far as its question.
  private static Value start(Service replica, String token) {
    var run = replica.post("/v1/runs?wait=30s", Json.read(RUN), bearer(token));
    assertThat(Service.text(run, "/interrupts/0/payload")).as(run.toString()).isEqualTo("Now?");
    return run;
  }

  private static Value answer(Service replica, Value run, String token) {
    return replica.post(
        "/v1/interrupts/%s/answer?wait=30s".formatted(Service.text(run, "/interrupts/0/id")),
        Json.read("{\"value\": null}"),
        bearer(token));
  }

  private static Value requiresToken(Value run) {
    assertThat(Service.text(run, "/interrupts/0/reason"))
        .as(run.toString())
        .isEqualTo("caller_token_required");
    return run;
  }

  /// Has an effect, asks, and calls a tool.
  private static String graph(String server) {
    return """
    {"name": "acts", "channels": {"messages": {"reducer": "messages"}},
     "nodes": [{"id": "effect", "type": "http",
                "config": {"mode": "request", "url": "%s/effect", "result": {}}},
               {"id": "ask", "type": "human", "config": {"payload": "Now?"}},
               {"id": "tools", "type": "tool"}],
     "edges": [{"from": "__start__", "to": "effect"}, {"from": "effect", "to": "ask"},
               {"from": "ask", "to": "tools"}]}
    """
        .formatted(server);
  }
}
