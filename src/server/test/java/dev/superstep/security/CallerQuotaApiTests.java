package dev.superstep.security;

import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.jdbc.core.simple.JdbcClient;

/// What one API key may have at a time. In the context of [ApiKeyApiTests], whose tests have other
/// keys.
@KeyedApiTest
class CallerQuotaApiTests {
  private static final Pattern ID = Pattern.compile("\"id\":\"([^\"]+)\"");

  private static final String NAP =
      """
      name: nap
      nodes:
        - { id: rest, type: wait, config: { for: 1h } }
        - { id: again, type: wait, config: { for: 1h } }
      edges:
        - { from: __start__, to: rest }
        - { from: rest, to: again }
      """;

  private static final String ASK =
      """
      name: ask-often
      channels: { note: {} }
      nodes: [{ id: ask, type: human, config: { payload: "Go on?" } }]
      edges: [{ from: __start__, to: ask }, { from: ask, to: ask }]
      """;

  private final HttpClient http = HttpClient.newHttpClient();
  private final List<String> runs = new ArrayList<>();
  @LocalServerPort private int port;
  @Autowired private JdbcClient jdbc;

  @BeforeEach
  void graph() throws Exception {
    assertThat(post("epsilon", "/v1/graphs", "application/yaml", NAP).statusCode()).isIn(200, 201);
    assertThat(post("epsilon", "/v1/graphs", "application/yaml", ASK).statusCode()).isIn(200, 201);
  }

  @AfterEach
  void cancels() throws Exception {
    for (var run : runs) {
      cancel(run);
      await().untilAsserted(() -> assertThat(delete("epsilon", run)).isIn(204, 404));
    }
  }

  @Test
  void refusesMoreActiveRunsThanAKeyMayHave() throws Exception {
    for (int i = 0; i < 3; i++) {
      // A count may still hold a run that another test has ended.
      await().untilAsserted(() -> assertThat(start("epsilon").statusCode()).isEqualTo(202));
    }

    var refused = start("epsilon");

    assertThat(refused.statusCode()).as(refused.body()).isEqualTo(429);
    assertThat(refused.body()).contains("\"code\":\"run_quota_exceeded\"");
    assertThat(refused.headers().firstValue("Retry-After")).isPresent();
    assertThat(start("zeta").statusCode()).isEqualTo(202);
    cancel(runs.getFirst());
    await().untilAsserted(() -> assertThat(start("epsilon").statusCode()).isEqualTo(202));
  }

  /// Threads have no owner; who ends and forks the run of another pays with its own bounds.
  @Test
  void letsEveryKeyGoOnWithAThread() throws Exception {
    var thread = "\"thread_id\": \"" + UUID.randomUUID() + "\"";
    start("epsilon", thread);
    assertThat(start("zeta", thread).statusCode()).isEqualTo(409);
    assertThat(start("zeta", thread + ", \"if_busy\": \"interrupt\"").statusCode()).isEqualTo(202);
    assertThat(status(runs.getFirst())).contains("\"status\":\"cancelled\"");

    var fork = "{\"checkpoint\": 0, %s, \"if_busy\": \"rollback\"}".formatted(thread);
    var path = "/v1/runs/" + runs.getFirst() + "/fork";
    for (int i = 0; i < 3; i++) {
      // A count may still hold the run that was cancelled.
      await().untilAsserted(() -> assertThat(start("epsilon").statusCode()).isEqualTo(202));
    }
    var refused = post("epsilon", path, "application/json", fork);
    assertThat(refused.statusCode()).as(refused.body()).isEqualTo(429);
    assertThat(refused.body()).contains("\"code\":\"run_quota_exceeded\"");
    // What is refused has ended nothing.
    assertThat(status(runs.get(1))).doesNotContain("\"status\":\"cancelled\"");
    assertThat(started(post("zeta", path, "application/json", fork)).statusCode()).isEqualTo(202);
    assertThat(status(runs.get(1))).contains("\"status\":\"cancelled\"");
  }

  private String status(String run) throws Exception {
    return text(get("zeta", "/v1/runs/" + run));
  }

  /// Runs that wait for people do not count, but they do when they go on: by an answer, by a
  /// resume.
  @Test
  void refusesToGoOnWithMoreRunsThanAKeyMayHave() throws Exception {
    var asking = asking("epsilon", "");
    for (int i = 0; i < 3; i++) {
      // A count may still hold a run that another test has ended.
      await().untilAsserted(() -> assertThat(start("epsilon").statusCode()).isEqualTo(202));
    }
    var question = question(asking);
    var answer = "/v1/interrupts/" + question + "/answer";
    var resume = "/v1/runs/" + asking + "/resume";

    var answered = post("zeta", answer, "application/json", "{\"value\": 1}");
    var resumed = post("epsilon", resume, "application/json", "{\"answers\": [{\"value\": 1}]}");

    for (var refused : List.of(answered, resumed)) {
      assertThat(refused.statusCode()).as(refused.body()).isEqualTo(429);
      assertThat(refused.body()).contains("\"code\":\"run_quota_exceeded\"");
      assertThat(refused.headers().firstValue("Retry-After")).isPresent();
    }
    assertThat(question(asking)).as("nothing of it was stored").isEqualTo(question);
    cancel(runs.get(1));
    await()
        .untilAsserted(() ->
            assertThat(post("zeta", answer, "application/json", "{\"value\": 1}").statusCode())
                .isEqualTo(202));
  }

  private String question(String run) throws Exception {
    var open = text(get("zeta", "/v1/runs/" + run + "/interrupts"));
    var id = ID.matcher(open);
    assertThat(id.find()).as(open).isTrue();
    return id.group(1);
  }

  @Test
  void refusesToStoreMoreThanAKeyMay() throws Exception {
    var note = noise(400_000);
    var first = asking("epsilon", note);
    asking("epsilon", note);

    var refused = startAsking("epsilon", note);
    // A count that finds a run locked measures it with the next count.
    while (refused.statusCode() == 200) {
      erase(runs.getLast());
      refused = startAsking("epsilon", note);
    }

    assertThat(refused.statusCode()).as(refused.body()).isEqualTo(429);
    assertThat(refused.body()).contains("\"code\":\"storage_quota_exceeded\"", "2 MB");
    assertThat(refused.headers().firstValue("Retry-After")).isPresent();
    asking("zeta", note);
    var fork = "/v1/runs/" + first + "/fork";
    assertThat(post("epsilon", fork, "application/json", "{\"checkpoint\": 0}").body())
        .contains("\"code\":\"storage_quota_exceeded\"");
    erase(first);
    await().untilAsserted(() -> asking("epsilon", note));
  }

  private void erase(String run) throws Exception {
    cancel(run);
    assertThat(delete("epsilon", run)).isEqualTo(204);
  }

  /// Letters that a database cannot compress to nothing; seed 7.
  private static String noise(int letters) {
    var noise = new StringBuilder();
    new Random(7).ints(letters, 'a', 'z').forEach(it -> noise.append((char) it));
    return noise.toString();
  }

  private String asking(String key, String note) throws Exception {
    var asks = startAsking(key, note);
    assertThat(asks.statusCode()).as(asks.body().substring(0, 200)).isEqualTo(200);
    return runs.getLast();
  }

  private HttpResponse<String> startAsking(String key, String note) throws Exception {
    var body = "{\"graph\": \"ask-often\", \"input\": {\"note\": \"%s\"}}".formatted(note);
    var asks = post(key, "/v1/runs?wait=20s", "application/json", body);
    var id = ID.matcher(asks.body());
    if (asks.statusCode() == 200 && id.find()) {
      runs.add(id.group(1));
    }
    return asks;
  }

  private int delete(String key, String run) throws Exception {
    var path = "/v1/runs/" + run;
    return http.send(request(key, path).DELETE().build(), BodyHandlers.ofString()).statusCode();
  }

  @Test
  void storesWhoHasStartedARunWithoutTheKey() throws Exception {
    start("epsilon");
    start("zeta");

    var callers =
        jdbc.sql("select caller from run where id = any(?::text[])")
            .param(runs.toArray(String[]::new))
            .query(String.class)
            .list();

    assertThat(callers).doesNotHaveDuplicates().allMatch(it -> it.matches("[0-9a-f]{16}"));
  }

  @Test
  void refusesMoreStreamsThanAKeyMayHave() throws Exception {
    start("zeta");
    var path = "/v1/runs/" + runs.getFirst() + "/stream?follow=true";
    try (var open = get("zeta", path).body()) {
      assertThat(open.read()).isPositive();

      var refused = get("zeta", path);

      assertThat(refused.statusCode()).isEqualTo(429);
      assertThat(refused.headers().firstValue("Retry-After")).isPresent();
      assertThat(text(refused)).contains("\"code\":\"stream_quota_exceeded\"");
      var run = runs.getFirst();
      var join = get("zeta", "/langgraph/threads/%s/runs/%s/join".formatted(run, run));
      assertThat(join.statusCode()).as("a wait is a stream, too").isEqualTo(429);
      try (var other = get("epsilon", path).body()) {
        assertThat(other.read()).isPositive();
      }
    }
    cancel(runs.getFirst()); // the server notices by writing that the reader has gone
    await()
        .untilAsserted(() -> {
          var again = get("zeta", path);
          again.body().close();
          assertThat(again.statusCode()).isEqualTo(200);
        });
  }

  private static String text(HttpResponse<InputStream> answer) throws IOException {
    try (var body = answer.body()) {
      return new String(body.readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  private HttpResponse<String> start(String key, String... more) throws Exception {
    var body = Stream.concat(Stream.of("\"graph\": \"nap\", \"input\": {}"), Stream.of(more));
    return started(
        post(key, "/v1/runs", "application/json", "{%s}".formatted(body.collect(joining(", ")))));
  }

  private HttpResponse<String> started(HttpResponse<String> answer) {
    var id = ID.matcher(answer.body());
    if (answer.statusCode() == 202 && id.find()) {
      runs.add(id.group(1));
    }
    return answer;
  }

  private void cancel(String run) throws Exception {
    post("epsilon", "/v1/runs/" + run + "/cancel", "application/json", "");
  }

  private HttpResponse<String> post(String key, String path, String type, String body)
      throws Exception {
    var request =
        request(key, path).header("Content-Type", type).POST(BodyPublishers.ofString(body));
    return http.send(request.build(), BodyHandlers.ofString());
  }

  private HttpResponse<InputStream> get(String key, String path) throws Exception {
    return http.send(request(key, path).build(), BodyHandlers.ofInputStream());
  }

  private HttpRequest.Builder request(String key, String path) {
    return HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path))
        .header("Authorization", "Bearer " + key);
  }
}
