package dev.superstep.run.web;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import dev.superstep.client.model.AnswerInterrupt;
import dev.superstep.client.model.RunEvent;
import dev.superstep.graph.Pointer;
import dev.superstep.http.ApiTest;
import dev.superstep.json.Json;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.LongStream;
import javax.sql.DataSource;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.web.server.LocalServerPort;

/// Events: stored ones as a list, all of them as a stream (I5).
@ApiTest
class EventApiTests {
  @LocalServerPort private int port;
  @Autowired private DataSource database;
  private Api api = new Api(0);

  @BeforeEach
  void connects() {
    api = new Api(port);
    api.graph(Graphs.counter("event-counter", 3));
    api.graph(Graphs.question("event-question"));
  }

  @Test
  void listsStoredEventsWithoutGapsOldestFirst() {
    var run = api.run("event-counter", Map.of()).getId();

    var all = api.events.listEvents(run, null, null, null, null).getItems();

    assertThat(all)
        .extracting(RunEvent::getSeq)
        .containsExactlyElementsOf(LongStream.rangeClosed(1, all.size()).boxed().toList());
    assertThat(all.getFirst().getType()).isEqualTo("run.created");
    assertThat(all.getLast().getType()).isEqualTo("run.succeeded");
    assertThat(all).allSatisfy(it -> assertThat(it.getRunId()).isEqualTo(run));
  }

  @Test
  void listsEventsInPartsAndByType() {
    var run = api.run("event-counter", Map.of()).getId();
    var all = api.events.listEvents(run, null, null, null, null).getItems();

    assertThat(api.events.listEvents(run, 2L, null, null, null).getItems())
        .isEqualTo(all.subList(2, all.size()));
    var commits = api.events.listEvents(run, null, List.of("superstep.committed"), 2, null);
    assertThat(commits.getItems()).hasSize(2);
    var rest =
        api.events.listEvents(
            run, null, List.of("superstep.committed"), 2, commits.getNextCursor());
    assertThat(rest.getItems())
        .allSatisfy(it -> assertThat(it.getType()).isEqualTo("superstep.committed"))
        .doesNotContainAnyElementsOf(commits.getItems());
  }

  @Test
  void streamsWhatIsStoredAndEndsWhenTheRunIsAtRest() {
    var run = api.run("event-counter", Map.of()).getId();

    var stream = api.get("/v1/runs/" + run + "/stream");

    assertThat(stream.headers().firstValue("Content-Type").orElse(""))
        .startsWith("text/event-stream");
    var seqs = stream.body().lines().filter(it -> it.startsWith("id: ")).toList();
    assertThat(seqs).hasSize(api.events.listEvents(run, null, null, null, null).getItems().size());
    assertThat(stream.body()).contains("event: run.created\ndata: {\"seq\":1,");
    assertThat(stream.body()).contains("event: run.succeeded\n");
  }

  /// In task order, with the commit; what is beside the result changes nothing of it.
  @Test
  void storesEventsThatNodesTellOf() {
    api.graph(
        """
        name: event-custom
        context: { template: t }
        nodes:
          - id: one
            type: expression
            config:
              events: [{ name: found, data: { n: "{{ 1 + 1 }}" } }, { name: done }]
              history_metadata: { source: web, node_type: mine }
          - { id: other, type: expression, config: { events: "{{ [{'name': 'other', 'data': [1]}] }}" } }
          - id: bad
            type: expression
            on_error: continue
            config: { events: [{ name: "no name" }] }
        edges: [{ from: __start__, to: [one, other, bad] }]
        """);
    var run = api.run("event-custom", Map.of()).getId();

    var stream = api.get("/v1/runs/" + run + "/stream?type=custom");
    var told = stream.body().lines().filter(it -> it.startsWith("data: ")).toList();

    assertThat(told).hasSize(3);
    assertThat(told.getFirst())
        .contains("\"node\":\"one\",\"data\":{\"data\":{\"n\":2},\"index\":0,\"name\":\"found\"}");
    assertThat(told.get(1)).contains("{\"data\":null,\"index\":1,\"name\":\"done\"}");
    assertThat(told.get(2)).contains("{\"data\":[1],\"index\":0,\"name\":\"other\"}");
    var events = api.events.listEvents(run, null, null, null, null).getItems();
    assertThat(events.stream().map(RunEvent::getType).toList())
        .containsSubsequence("custom", "custom", "custom", "superstep.committed");
    var context = api.get("/v1/runs/" + run + "/context");
    assertThat(Api.at(context, "/history/0/metadata").toString())
        .contains("\"source\":\"web\"", "\"node_type\":\"expression\"");
    var bad = api.get("/v1/runs/" + run + "/tasks?node=bad");
    assertThat(bad.body()).contains("bad_node_result", "/events/0/name");
  }

  @Test
  void bringsContentsWithEachCommit() {
    var run = api.run("event-counter", Map.of()).getId();

    var both = api.get("/v1/runs/" + run + "/stream?with=changes,state&type=superstep.committed");
    var plain = api.get("/v1/runs/" + run + "/stream?type=superstep.committed");

    var commits = both.body().lines().filter(it -> it.startsWith("data: ")).toList();
    for (int i = 0; i < commits.size(); i++) {
      var commit = Json.read(commits.get(i).substring("data: ".length()));
      var checkpoint = api.get("/v1/runs/" + run + "/checkpoints/" + (i + 1));
      assertThat(Pointer.find(commit, "/state")).contains(Api.at(checkpoint, "/state"));
      assertThat(Pointer.find(commit, "/changes")).contains(Api.at(checkpoint, "/changes"));
    }
    assertThat(commits).isNotEmpty();
    assertThat(plain.body()).doesNotContain("\"state\":", "\"changes\":");
    Api.assertProblem(api.get("/v1/runs/" + run + "/stream?with=all"), 422, "invalid_parameter");
  }

  @Test
  void goesOnBehindTheLastEventAndSays204AfterTheEnd() {
    var run = api.run("event-counter", Map.of()).getId();
    var last = api.events.listEvents(run, null, null, null, null).getItems().getLast().getSeq();

    var rest = api.get("/v1/runs/" + run + "/stream", "Last-Event-ID", "2");
    assertThat(rest.body().lines().filter(it -> it.startsWith("id: ")).findFirst())
        .hasValue("id: 3");
    var over = api.get("/v1/runs/" + run + "/stream", "Last-Event-ID", String.valueOf(last));
    assertThat(over.statusCode()).isEqualTo(204);
    assertThat(over.body()).isEmpty();
    Api.assertProblem(
        api.get("/v1/runs/" + run + "/stream", "Last-Event-ID", "x"), 422, "invalid_header");
  }

  @Test
  void followsARunOverAnInterruptWithoutHoldingAConnection() throws Exception {
    var run = api.run("event-question", Map.of());
    var request =
        HttpRequest.newBuilder(
                URI.create(
                    "http://127.0.0.1:%d/v1/runs/%s/stream?follow=true"
                        .formatted(port, run.getId())))
            .build();
    try (var client = HttpClient.newHttpClient();
        var body = client.send(request, BodyHandlers.ofInputStream()).body();
        var lines = new BufferedReader(new InputStreamReader(body, StandardCharsets.UTF_8))) {
      assertThat(lines.lines().anyMatch("event: run.interrupted"::equals)).isTrue();
      var pool = database.unwrap(HikariDataSource.class).getHikariPoolMXBean();
      Awaitility.await().until(() -> pool.getActiveConnections() == 0);

      var answer = new AnswerInterrupt().value("go on");
      api.interrupts.answerInterrupt(run.getInterrupts().getFirst().getId(), answer, null, null);

      var rest = lines.lines().toList();
      assertThat(rest).contains("event: run.resumed", "event: run.succeeded");
    }
  }

  @Test
  void endsAtAnInterruptUnlessItFollows() {
    var run = api.run("event-question", Map.of()).getId();

    var stream = api.get("/v1/runs/" + run + "/stream");

    assertThat(stream.body()).contains("event: run.interrupted").doesNotContain("run.succeeded");
  }

  /// A stream that ends must not break the connection with which somebody looks for its events.
  @Test
  void keepsItsConnectionsWhenStreamsEnd() throws Exception {
    var run = api.run("event-counter", Map.of()).getId();
    var before = connections();
    for (int i = 0; i < 20; i++) {
      assertThat(api.get("/v1/runs/" + run + "/stream").body()).contains("run.succeeded");
    }
    assertThat(connections()).containsAll(before);
  }

  /// Process ids of the server's side of the pool.
  private List<Integer> connections() throws SQLException {
    var ids = new ArrayList<Integer>();
    try (var connection = database.getConnection();
        var found =
            connection
                .createStatement()
                .executeQuery(
                    """
                    select pid from pg_stat_activity as mine
                     where datname = current_database()
                       and application_name = (select application_name from pg_stat_activity
                                                where pid = pg_backend_pid())
                    """)) {
      while (found.next()) {
        ids.add(found.getInt(1));
      }
    }
    return ids;
  }
}
