package dev.superstep.schedule;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.superstep.database.TestDatabase;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.boot.test.web.server.LocalManagementPort;
import org.springframework.context.annotation.Import;
import org.springframework.jdbc.core.simple.JdbcClient;

/// What the probes say of a process that the cluster does not know.
@SpringBootTest(
    webEnvironment = WebEnvironment.RANDOM_PORT,
    // the same context as that of ContextIsolationApiTests
    properties = {
      "management.server.port=0",
      "superstep.egress.allow=127.0.0.1:*",
      "superstep.lease=1s"
    })
@Import(TestDatabase.class)
class MembershipApiTests {
  private final HttpClient http = HttpClient.newHttpClient();
  @LocalManagementPort private int port;
  @Autowired private JdbcClient jdbc;

  @BeforeEach
  void refusesNames() {
    await().until(() -> probe("readiness") == 200);
    var rows = new ScheduledRows(jdbc);
    rows.refuseNames();
    rows.deleteReplicas();
  }

  @AfterEach
  void givesNamesAgain() {
    new ScheduledRows(jdbc).acceptNames();
  }

  /// Only a new process can help then. It goes on trying, all the same.
  @Test
  void failsItsLivenessWhenItCannotJoinForLongAlthoughTheDatabaseAnswers() throws Exception {
    await().until(() -> probe("readiness") == 503);
    assertThat(probe("liveness")).isEqualTo(200);

    await().atMost(Duration.ofSeconds(30)).until(() -> probe("liveness") == 503);

    givesNamesAgain();
    await().until(() -> probe("liveness") == 200);
    await().until(() -> probe("readiness") == 200);
  }

  private int probe(String group) throws IOException, InterruptedException {
    var uri = URI.create("http://127.0.0.1:" + port + "/actuator/health/" + group);
    HttpResponse<Void> answer =
        http.send(HttpRequest.newBuilder(uri).build(), BodyHandlers.discarding());
    return answer.statusCode();
  }
}
