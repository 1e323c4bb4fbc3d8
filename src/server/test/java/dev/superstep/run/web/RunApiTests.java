package dev.superstep.run.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.superstep.client.model.Run.StatusEnum;
import dev.superstep.client.model.RunSummary;
import dev.superstep.client.model.StartRun;
import dev.superstep.http.ApiTest;
import dev.superstep.state.value.Value;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.jdbc.core.simple.JdbcClient;

/// Starting, looking at, searching, cancelling and erasing runs.
@ApiTest
class RunApiTests {
  @LocalServerPort private int port;
  @Autowired private JdbcClient jdbc;
  private Api api = new Api(0);

  @BeforeEach
  void connects() {
    api = new Api(port);
    api.graph(Graphs.counter("api-counter", 3));
    api.graph(Graphs.fanOut("api-fan-out"));
    api.graph(Graphs.sleeper("api-sleeper"));
  }

  @Test
  void acceptsARunAndSaysWhereItIs() {
    var answer = api.runs.startRunWithHttpInfo(Api.start("api-counter", Map.of()), null, null);

    assertThat(answer.getStatusCode().value()).isEqualTo(202);
    var run = answer.getBody();
    assertThat(run).isNotNull();
    assertThat(answer.getHeaders().getLocation()).hasToString("/v1/runs/" + run.getId());
    assertThat(run.getGraph()).isEqualTo("api-counter");
    assertThat(run.getVersion()).isPositive();
    assertThat(api.runs.getRun(run.getId(), null, "30s").getStatus())
        .isEqualTo(StatusEnum.SUCCEEDED);
  }

  @Test
  void says200WhenTheWaitSawTheRunAtRest() {
    var answer = api.runs.startRunWithHttpInfo(Api.start("api-counter", Map.of()), null, "30s");

    assertThat(answer.getStatusCode().value()).isEqualTo(200);
    var run = answer.getBody();
    assertThat(run).isNotNull();
    assertThat(run.getStatus()).isEqualTo(StatusEnum.SUCCEEDED);
    assertThat(run.getOutput()).isEqualTo(Map.of("count", 3));
    assertThat(run.getFinishedAt()).isAfterOrEqualTo(run.getStartedAt());
  }

  @Test
  void says202WhenTheWaitIsOverFirst() {
    var answer = api.runs.startRunWithHttpInfo(Api.start("api-sleeper", Map.of()), null, "100ms");

    assertThat(answer.getStatusCode().value()).isEqualTo(202);
  }

  /// A fail-over may lose a run that was accepted: the caller has made no mistake.
  @Test
  void says503WhenTheRunVanishesDuringTheWait() throws Exception {
    var body = "{\"id\": \"vanishes\", \"graph\": \"api-sleeper\", \"input\": {}}";
    try (var executor = Executors.newVirtualThreadPerTaskExecutor()) {
      var answer = executor.submit(() -> api.post("/v1/runs?wait=30s", body));
      await()
          .until(() ->
              jdbc.sql("select count(*) from run where id = 'vanishes' and status = 'waiting'")
                      .query(Integer.class)
                      .single()
                  == 1);

      jdbc.sql("delete from run where id = 'vanishes'").update();

      assertThat(answer.get().statusCode()).isEqualTo(503);
      assertThat(answer.get().body()).contains("database_unavailable");
      assertThat(answer.get().headers().firstValue("Retry-After")).isPresent();
    }
  }

  @Test
  void projectsTheOutput() {
    var run = api.run("api-fan-out", Map.of("items", List.of("cats", "dogs", "birds")));

    assertThat(run.getOutput()).isEqualTo(Map.of("found", List.of("cats", "dogs", "birds")));
    assertThat(run.getSuperstep()).isEqualTo(3);
  }

  @Test
  void keepsWhatWasSaidAboutARun() {
    var request =
        Api.start("api-counter", Map.of())
            .id("api-run.given_id-1")
            .metadata(Map.of("customer", "c-17"))
            .priority(7);

    var run = api.runs.startRun(request, null, "30s");

    assertThat(run.getId()).isEqualTo("api-run.given_id-1");
    assertThat(run.getMetadata()).containsEntry("customer", "c-17");
    assertThat(run.getPriority()).isEqualTo(7);
    assertThat(run.getDurability().getValue()).isEqualTo("sync");
  }

  /// `durability` is deprecated.
  @ParameterizedTest
  @ValueSource(strings = {"sync", "async", "exit"})
  void writesEachSuperstepWhateverTheDurability(String durability) {
    var body =
        "{\"graph\": \"api-counter\", \"input\": {}, \"durability\": \"%s\"}".formatted(durability);

    var run = api.post("/v1/runs?wait=30s", body);

    assertThat(run.statusCode()).as(run.body()).isEqualTo(200);
    assertThat(Api.at(run, "/durability")).isEqualTo(Value.of("sync"));
    assertThat(
            jdbc.sql(
                    """
                    select run.durability, count(*) as checkpoints
                      from run join checkpoint on checkpoint.run = run.id
                     where run.id = ? group by run.durability
                    """)
                .param(((Value.Text) Api.at(run, "/id")).value())
                .query()
                .singleRow())
        .containsEntry("durability", "sync")
        .containsEntry("checkpoints", 4L);
  }

  @Test
  void takesAGivenIdOnce() {
    var request = Api.start("api-counter", Map.of("note", "a")).id("api-run-once");
    api.runs.startRun(request, null, null);

    var again = api.runs.startRunWithHttpInfo(request, null, null);
    assertThat(again.getHeaders().getFirst("Idempotency-Replayed")).isEqualTo("true");

    var other = Api.start("api-counter", Map.of("note", "b")).id("api-run-once");
    Api.assertRefused(() -> api.runs.startRun(other, null, null), 409, "run_exists");
  }

  @Test
  void findsRunsPageByPageNewestFirst() {
    var ids = new ArrayList<String>();
    for (int i = 0; i < 5; i++) {
      var request =
          Api.start("api-counter", Map.of()).metadata(Map.of("batch", "pages", "i", "" + i));
      ids.addFirst(api.runs.startRun(request, null, "30s").getId());
    }

    var found = new ArrayList<String>();
    String cursor = null;
    do {
      var page =
          api.runs.searchRuns(
              "api-counter", null, null, null, null, List.of("batch:pages"), null, null, 2, cursor);
      assertThat(page.getItems()).hasSizeLessThanOrEqualTo(2);
      page.getItems().stream().map(RunSummary::getId).forEach(found::add);
      cursor = page.getNextCursor();
    } while (cursor != null);

    assertThat(found).isEqualTo(ids);
  }

  @Test
  void findsRunsByStatusAndMetadata() {
    var request = Api.start("api-counter", Map.of()).metadata(Map.of("who", "x:y", "k", "v"));
    var run = api.runs.startRun(request, null, "30s");

    var found =
        api.runs.searchRuns(
            null,
            List.of("failed", "succeeded"),
            null,
            null,
            null,
            List.of("who:x:y", "k:v"),
            null,
            null,
            null,
            null);
    assertThat(found.getItems()).extracting(RunSummary::getId).containsExactly(run.getId());

    var none =
        api.runs.searchRuns(
            null, List.of("failed"), null, null, null, List.of("who:x:y"), null, null, null, null);
    assertThat(none.getItems()).isEmpty();
    var later =
        api.runs.searchRuns(
            null,
            null,
            null,
            null,
            null,
            List.of("who:x:y"),
            run.getCreatedAt().plusDays(1),
            null,
            null,
            null);
    assertThat(later.getItems()).isEmpty();
  }

  @Test
  void findsRunsThatWereCreatedBetweenTwoTimes() {
    var request = Api.start("api-counter", Map.of()).metadata(Map.of("who", "between"));
    var run = api.runs.startRun(request, null, "30s");
    var created = Objects.requireNonNull(run.getCreatedAt());

    assertThat(between(created.minusDays(1), created.plusDays(1))).containsExactly(run.getId());
    assertThat(between(created.minusDays(2), created.minusDays(1))).isEmpty();
    assertThat(between(created, created.plusDays(1))).as("later means later").isEmpty();
    assertThat(between(created.minusDays(1), created)).as("earlier means earlier").isEmpty();
  }

  private List<String> between(OffsetDateTime after, OffsetDateTime before) {
    var who = List.of("who:between");
    return api
        .runs
        .searchRuns(null, null, null, null, null, who, after, before, null, null)
        .getItems()
        .stream()
        .map(RunSummary::getId)
        .toList();
  }

  @Test
  void cancelsAsOftenAsOneLikes() {
    var id = api.runs.startRun(Api.start("api-sleeper", Map.of()), null, null).getId();

    assertThat(api.runs.cancelRunWithHttpInfo(id, null, "30s").getStatusCode().value())
        .isEqualTo(200);
    var again = api.runs.cancelRunWithHttpInfo(id, null, null);

    assertThat(again.getStatusCode().value()).isEqualTo(202);
    assertThat(again.getBody()).extracting(it -> it.getStatus()).isEqualTo(StatusEnum.CANCELLED);
  }

  @Test
  void doesNotCancelWhatSucceeded() {
    var run = api.run("api-counter", Map.of());

    Api.assertRefused(() -> api.runs.cancelRun(run.getId(), null, null), 409, "run_ended");
  }

  @Test
  void erasesARunThatEnded() {
    var run = api.run("api-counter", Map.of());

    assertThat(api.runs.deleteRunWithHttpInfo(run.getId()).getStatusCode().value()).isEqualTo(204);
    Api.assertRefused(() -> api.runs.getRun(run.getId(), null, null), 404, "run_not_found");
    Api.assertRefused(() -> api.runs.deleteRun(run.getId()), 404, "run_not_found");
  }

  @Test
  void doesNotEraseAnActiveRun() {
    var id = api.runs.startRun(Api.start("api-sleeper", Map.of()), null, null).getId();

    Api.assertRefused(() -> api.runs.deleteRun(id), 409, "run_active");
    api.runs.cancelRun(id, null, "30s");
  }

  @Test
  void goesOnWithAThread() {
    var first = new StartRun().graph("api-counter").input(Map.of()).threadId("api-thread-1");
    api.runs.startRun(first, null, "30s");
    api.graph(Graphs.counter("api-counter-again", 5));
    var second = new StartRun().graph("api-counter-again").input(Map.of()).threadId("api-thread-1");
    var run = api.runs.startRun(second, null, "30s");

    var thread = api.threads.getThread("api-thread-1");
    assertThat(Objects.requireNonNull(thread.getLastRun()).getId()).isEqualTo(run.getId());
    assertThat(thread.getState()).isEqualTo(Map.of("count", 5));
    Api.assertRefused(() -> api.threads.getThread("nobody"), 404, "thread_not_found");
  }

  @Test
  void refusesASecondActiveRunOnAThread() {
    var request = Api.start("api-sleeper", Map.of()).threadId("api-thread-busy");
    var id = api.runs.startRun(request, null, null).getId();

    Api.assertRefused(() -> api.runs.startRun(request, null, null), 409, "thread_busy");
    api.runs.cancelRun(id, null, "30s");
  }
}
