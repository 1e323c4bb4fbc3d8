package dev.superstep.run.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.superstep.client.model.AnswerInterrupt;
import dev.superstep.client.model.RunEvent;
import dev.superstep.http.ApiTest;
import dev.superstep.schedule.Replica;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.OffsetDateTime;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.test.context.TestPropertySource;

/// Streams of a database that goes back. In a service of its own: all others would begin anew, too.
@ApiTest
@TestPropertySource(properties = "superstep.lease=2s")
class RewoundApiTests {
  private static final String NOT_KNOWN = "";

  @LocalServerPort private int port;
  @Autowired private JdbcClient jdbc;
  @Autowired private Replica replica;
  private Optional<String> left = Optional.empty();
  private Api api = new Api(0);

  @BeforeEach
  void connects() {
    api = new Api(port);
    api.graph(Graphs.question("rewound-question"));
  }

  /// Else the next test begins in the era before.
  @AfterEach
  void seesTheLastEra() {
    await().until(() -> replica.id().isPresent() && !replica.id().equals(left));
  }

  /// The database goes back to where it was at `through`.
  private void goBack(String through) {
    left = await().until(replica::id, Optional::isPresent);
    jdbc.sql(
            """
            insert into database_era (era, system_identifier, timeline, valid_through)
            select era + 1, system_identifier, timeline, nullif(?, '')::timestamptz
              from database_era order by era desc limit 1
            """)
        .param(through)
        .update();
  }

  /// @return what the service thinks of the time between question and answer
  private String answer(String run) {
    var between = jdbc.sql("select clock_timestamp()").query(OffsetDateTime.class).single();
    var question = api.runs.getRun(run, null, null).getInterrupts().getFirst().getId();
    api.interrupts.answerInterrupt(question, new AnswerInterrupt().value("yes"), null, null);
    await().until(() -> types(run).contains("run.succeeded"));
    return between.toString();
  }

  private List<String> types(String run) {
    return api.events.listEvents(run, null, null, null, null).getItems().stream()
        .map(RunEvent::getType)
        .toList();
  }

  private static List<String> ids(String stream) {
    return stream.lines().filter(it -> it.startsWith("id: ")).map(it -> it.substring(4)).toList();
  }

  private String stream(String run, String... headers) {
    return api.get("/v1/runs/" + run + "/stream", headers).body();
  }

  @Test
  void saysUpToWhereTheHistoryIsValidToAClientThatComesAgain() {
    var run = api.run("rewound-question", Map.of()).getId();
    int before = types(run).size();
    var between = answer(run);
    var last = ids(stream(run)).getLast();

    goBack(between);
    var again = stream(run, "Last-Event-ID", last);

    assertThat(again).contains("event: rewound\n", "\"valid_through\":%d".formatted(before));
    assertThat(again.lines().filter(it -> it.startsWith("event: ")).skip(1))
        .containsExactlyElementsOf(
            types(run).stream().skip(before).map("event: "::concat).toList());
    var ids = ids(again);
    assertThat(ids.getFirst()).endsWith("." + before);
    assertThat(ids.getLast()).endsWith("." + types(run).size());
    assertThat(api.get("/v1/runs/" + run + "/stream", "Last-Event-ID", ids.getLast()).statusCode())
        .isEqualTo(204);
  }

  @Test
  void saysNothingToAClientWhoseEventsAreAllThere() {
    var run = api.run("rewound-question", Map.of()).getId();
    var last = ids(stream(run)).getLast();
    var between = answer(run);

    goBack(between);
    var again = stream(run, "Last-Event-ID", last);

    assertThat(again).doesNotContain("event: rewound");
    assertThat(again).contains("event: run.resumed", "event: run.succeeded");
  }

  @Test
  void tellsAllAnewWhereItIsNotKnownWhatIsValid() {
    var run = api.run("rewound-question", Map.of()).getId();
    var last = ids(stream(run)).getLast();

    goBack(NOT_KNOWN);
    var again = stream(run, "Last-Event-ID", last);

    assertThat(again).contains("\"valid_through\":0").contains("event: run.created");
  }

  @Test
  void tellsAClientThatIsThereWhenItHappens() throws Exception {
    var run = api.run("rewound-question", Map.of()).getId();
    var address = "http://localhost:%d/v1/runs/%s/stream?follow=true".formatted(port, run);
    try (var client = HttpClient.newHttpClient();
        var lines = lines(client, address)) {
      assertThat(lines.lines().anyMatch("event: run.interrupted"::equals)).isTrue();

      goBack(NOT_KNOWN);

      assertThat(lines.lines().anyMatch("event: rewound"::equals)).isTrue();
      assertThat(lines.lines().anyMatch("event: run.created"::equals)).isTrue();
    }
  }

  private static BufferedReader lines(HttpClient client, String address) throws Exception {
    var request = HttpRequest.newBuilder(URI.create(address)).build();
    var body = client.send(request, BodyHandlers.ofInputStream()).body();
    return new BufferedReader(new InputStreamReader(body, StandardCharsets.UTF_8));
  }
}
