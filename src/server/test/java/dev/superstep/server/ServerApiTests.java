package dev.superstep.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.superstep.http.ApiTest;
import dev.superstep.json.Json;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.state.value.Value;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.springframework.boot.test.web.server.LocalServerPort;

@ApiTest
class ServerApiTests {
  private static final HttpClient HTTP = HttpClient.newHttpClient();
  @LocalServerPort private int port;

  @Test
  void saysWhatThisServerIsAndHowItFares() throws Exception {
    await().until(() -> report().getOr("ready", Value.NULL).equals(Value.of(true)));

    var report = report();
    assertThat(report.asMap())
        .containsEntry("database_reachable", Value.of(true))
        .containsEntry("cell", Value.of(0))
        .containsEntry(
            "scopes",
            Json.read("[\"read\",\"run\",\"answer\",\"author\",\"operate\",\"work\",\"admin\"]"))
        .containsKey("version");
    assertThat(Json.write(report.getOr("version", Value.NULL))).matches("\"\\d.*\"");
    assertThat(Integer.parseInt(Json.write(report.getOr("replicas", Value.NULL)))).isPositive();
    var time = Instant.parse(Json.write(report.getOr("time", Value.NULL)).replace("\"", ""));
    assertThat(Duration.between(time, Instant.now()).abs()).isLessThan(Duration.ofMinutes(1));
  }

  private ObjectValue report() throws IOException, InterruptedException {
    var request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/v1/server"));
    var answer = HTTP.send(request.build(), BodyHandlers.ofString());
    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
    return (ObjectValue) Json.read(answer.body());
  }
}
