package dev.superstep.run.trigger;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.superstep.http.ApiTest;
import dev.superstep.state.value.ListValue;
import dev.superstep.state.value.ObjectValue;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.UUID;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Schedules. Time is moved by moving their rows.
@ApiTest
class RunScheduleApiTests extends TriggerCalls {
  private String id = "";

  @BeforeEach
  void namesWhatItMakes() {
    id = "s-" + UUID.randomUUID();
    graph("schedule-ends", "{ id: a, type: expression, config: { update: { n: 1 } } }");
    graph("schedule-waits", "{ id: a, type: wait, config: { for: 1h } }");
  }

  @AfterEach
  void leavesNoScheduleBehind() {
    json("DELETE", path(), "");
  }

  private void graph(String name, String node) {
    var yaml = "name: %s\nchannels: { n: { reducer: sum } }\nnodes: [%s]\n".formatted(name, node);
    var answer = post(yaml);
    assertThat(answer.statusCode()).as(answer.body()).isIn(200, 201);
  }

  private ObjectValue make(String graph, String more) {
    return done(post(graph, more));
  }

  private HttpResponse<String> post(String graph, String more) {
    return json(
        "POST",
        "/v1/schedules",
        """
        {"id": "%s", "cron": "*/10 * * * *", "zone": "Europe/Zurich", %s
         "run": {"graph": "%s", "input": {}}}
        """
            .formatted(id, more, graph));
  }

  private ObjectValue change(String body) {
    return done(json("PATCH", path(), body));
  }

  private String path() {
    return "/v1/schedules/" + id;
  }

  private ObjectValue schedule() {
    return done(json("GET", path(), ""));
  }

  /// Its last `times`, each over by more than a minute, were not met, and there are no others.
  private void passes(int times) {
    passes(times, 0);
  }

  /// @param before how many times lie between those and now
  private void passes(int times, int before) {
    int rows =
        jdbc.sql(
                """
                with last (at) as (
                  select date_bin('10 minutes', now() - interval '2 minutes', '2026-01-01Z')
                           - :later * interval '10 minutes'
                )
                update run_schedule
                   set next_at = last.at - :before * interval '10 minutes', ends_at = last.at,
                       due_at = now()
                  from last
                 where id = :id
                """)
            .param("before", times - 1)
            .param("later", before)
            .param("id", id)
            .update();
    assertThat(rows).isEqualTo(1);
  }

  private List<ObjectValue> settled(int times) {
    starts.startDue();
    await()
        .until(() ->
            started(schedule()).size() == times
                && started(schedule()).stream().noneMatch(it -> is(it, "waiting")));
    return started(schedule());
  }

  private static List<ObjectValue> started(ObjectValue schedule) {
    return schedule.objects("starts");
  }

  private static boolean is(ObjectValue start, String status) {
    return start.textOrEmpty("status").equals(status);
  }

  @Test
  void showsWhatItMakesWithItsNextTimes() {
    var made = make("schedule-ends", "\"jitter\": \"5m\",");

    assertThat(made.textOrEmpty("overlap")).isEqualTo("skip");
    assertThat(made.textOrEmpty("catch_up")).isEqualTo("last");
    assertThat(made.textOrEmpty("jitter")).isEqualTo("5m");
    assertThat(ListValue.orEmpty(made.get("next"))).hasSize(5);
    assertThat(schedule().objectOrEmpty("run").textOrEmpty("graph")).isEqualTo("schedule-ends");
    assertThat(done(json("GET", "/v1/schedules?graph=schedule-ends", "")).objects("items"))
        .extracting(it -> it.textOrEmpty("id"))
        .contains(id);
    assertThat(post("schedule-ends", "").body()).contains("schedule_exists");
  }

  @ParameterizedTest
  @CsvSource({"none, 0", "last, 1", "all, 12"})
  void catchesUpWithAnOutageAsItSays(String catchUp, int begun) {
    make("schedule-ends", "\"overlap\": \"allow\", \"catch_up\": \"%s\",".formatted(catchUp));
    passes(12);

    var all = settled(12);

    assertThat(all.subList(0, begun))
        .allMatch(it -> is(it, "started"))
        .extracting(it -> it.textOrEmpty("run_id"))
        .doesNotHaveDuplicates()
        .allSatisfy(this::hasRun);
    assertThat(all.subList(begun, 12))
        .allMatch(it -> is(it, "missed") && it.textOrEmpty("reason").equals("outage"));
  }

  private void hasRun(String run) {
    var found = done(json("GET", "/v1/runs/" + run + "?wait=20s", ""));
    assertThat(found.textOrEmpty("status")).isEqualTo("succeeded");
    assertThat(found.objectOrEmpty("metadata").textOrEmpty("schedule")).isEqualTo(id);
    assertThat(found.objectOrEmpty("metadata").textOrEmpty("planned_at")).startsWith("20");
  }

  @Test
  void startsNoRunBesideOneThatHasNotEnded() {
    make("schedule-waits", "\"overlap\": \"skip\", \"catch_up\": \"all\",");
    passes(3);

    var all = settled(3);

    assertThat(is(all.getLast(), "started")).isTrue();
    assertThat(all.subList(0, 2))
        .allMatch(it -> is(it, "missed") && it.textOrEmpty("reason").equals("overlap"));
  }

  @Test
  void queuesBehindOneThatHasNotEnded() {
    make("schedule-waits", "\"overlap\": \"queue\", \"catch_up\": \"all\",");
    passes(3);
    starts.startDue();
    await().until(() -> is(started(schedule()).getLast(), "started"));
    assertThat(started(schedule()).subList(0, 2)).allMatch(it -> is(it, "waiting"));

    cancel(started(schedule()).getLast());

    jdbc.sql("update run_schedule set due_at = now() where id = :id").param("id", id).update();
    await().until(() -> is(started(schedule()).get(1), "started"));
    assertThat(is(started(schedule()).getFirst(), "waiting")).isTrue();
    change("{\"paused\": true}");
    await().until(() -> is(started(schedule()).getFirst(), "missed"));
    assertThat(started(schedule()).getFirst().textOrEmpty("reason")).isEqualTo("paused");
  }

  private void cancel(ObjectValue start) {
    done(json("POST", "/v1/runs/" + start.textOrEmpty("run_id") + "/cancel", "{}"));
  }

  @Test
  void cancelsTheOldRunForTheNewestTime() {
    make("schedule-waits", "\"overlap\": \"cancel_old\", \"catch_up\": \"all\",");
    passes(3, 3);
    var old = settled(3).getFirst();
    assertThat(is(old, "started")).isTrue();
    assertThat(started(schedule()).subList(1, 3))
        .as("the run of the next time takes their place")
        .allMatch(it -> it.textOrEmpty("reason").equals("overlap"));
    passes(3, 0);

    var all = settled(6);

    assertThat(is(all.getFirst(), "started")).isTrue();
    assertThat(all.getFirst().textOrEmpty("run_id")).isNotEqualTo(old.textOrEmpty("run_id"));
    assertThat(status(old)).isEqualTo("cancelled");
    assertThat(status(all.getFirst())).isIn("running", "waiting", "queued");
  }

  private String status(ObjectValue start) {
    return done(json("GET", "/v1/runs/" + start.textOrEmpty("run_id"), "")).textOrEmpty("status");
  }

  /// As of another replica that has not noticed that it is late.
  @Test
  void cancelsNoRunThatALaterLookHasStarted() {
    make("schedule-waits", "\"overlap\": \"cancel_old\", \"catch_up\": \"last\",");
    passes(1);
    var first = settled(1).getFirst();
    jdbc.sql("update run_schedule set due_at = now() where id = :id").param("id", id).update();

    starts.startDue();

    assertThat(status(first)).isIn("running", "waiting", "queued");
  }

  @Test
  void losesNoTimeThatIsOverWhenItsTimesBecomeOthers() {
    make("schedule-ends", "\"overlap\": \"allow\", \"catch_up\": \"all\",");
    passes(3);

    change("{\"cron\": \"0 0 1 1 *\"}");

    assertThat(settled(3)).allMatch(it -> is(it, "started"));
  }

  @Test
  void startsNothingWhilePausedAndLeavesOutWhatPassed() {
    make("schedule-ends", "\"catch_up\": \"all\",");
    passes(12);
    change("{\"paused\": true}");
    assertThat(ListValue.orEmpty(schedule().get("next"))).isEmpty();

    assertThat(settled(12))
        .allMatch(it -> is(it, "missed") && it.textOrEmpty("reason").equals("paused"));

    var resumed = change("{\"paused\": false, \"ends_at\": \"2999-01-01T00:00:00Z\"}");
    assertThat(ListValue.orEmpty(resumed.get("next"))).hasSize(5);
  }

  @Test
  void showsWhyAStartIsRefused() {
    make("schedule-ends", "");
    jdbc.sql(
            "update run_schedule set request = replace(request, 'schedule-ends', 'gone') where id ="
                + " :id")
        .param("id", id)
        .update();
    passes(1);

    assertThat(settled(1).getFirst().textOrEmpty("reason")).isEqualTo("graph_not_found");
  }

  @Test
  void startsEachTimeOnceWhoeverLooks() throws InterruptedException {
    make("schedule-ends", "\"overlap\": \"allow\", \"catch_up\": \"all\",");
    passes(20);
    var looks =
        IntStream.range(0, 4).mapToObj(_ -> Thread.ofVirtual().start(starts::startDue)).toList();
    for (var look : looks) {
      look.join();
    }

    settled(20);

    assertThat(done(json("GET", "/v1/runs?limit=100&metadata=schedule:" + id, "")).objects("items"))
        .hasSize(20);
  }

  @Test
  void startsBehindTheRunsOfAThread() {
    make("schedule-waits", "\"overlap\": \"allow\", \"catch_up\": \"all\",");
    change(
        """
        {"run": {"graph": "schedule-waits", "input": {}, "thread_id": "%s", "if_busy": "enqueue"}}
        """
            .formatted(id));
    passes(2);

    assertThat(settled(2)).allMatch(it -> is(it, "started"));

    assertThat(done(json("GET", "/v1/threads/" + id + "/runs", "")).objects("items"))
        .extracting(it -> it.textOrEmpty("status"))
        .containsExactlyInAnyOrder("queued", "waiting");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "\"cron\": \"0 0 30 2 *\" | /cron",
        "\"cron\": \"* * * * * *\" | /cron",
        "\"zone\": \"Europe/Atlantis\" | /zone",
        "\"jitter\": \"2d\" | /jitter",
        "\"jitter\": \"10m\" | /jitter",
        "\"overlap\": \"both\" | /overlap",
        "\"run\": {\"graph\": \"schedule-ends\", \"input\": {}, \"thread_id\": \"t\", \"if_busy\":"
            + " \"steer\"} | /run/if_busy",
        "\"catch_up\": \"most\" | /catch_up",
        "\"run\": {\"graph\": \"schedule-ends\", \"input\": {}, \"id\": \"x\"} | /run",
        "\"run\": {\"graph\": \"schedule-ends\"} | /input"
      })
  void refusesWhatItCannotDo(String change, String pointer) {
    make("schedule-ends", "");

    var answer = json("PATCH", path(), "{" + change + "}");

    assertThat(answer.statusCode()).isEqualTo(422);
    assertThat(answer.body()).contains("\"" + pointer + "\"");
  }

  @Test
  void leavesNothingWhenItIsDeleted() {
    make("schedule-ends", "");
    passes(1);
    settled(1);

    assertThat(json("DELETE", path(), "").statusCode()).isEqualTo(204);

    assertThat(json("GET", path(), "").body()).contains("schedule_not_found");
    assertThat(json("DELETE", path(), "").statusCode()).isEqualTo(404);
    assertThat(
            jdbc.sql("select count(*) from run_schedule_start where schedule = :id")
                .param("id", id)
                .query(Long.class)
                .single())
        .isZero();
  }

  @Test
  void takesItsEndAway() {
    make("schedule-ends", "\"ends_at\": \"2999-01-01T00:00:00Z\",");
    assertThat(change("{\"paused\": false}").textOrEmpty("ends_at")).startsWith("2999");

    assertThat(change("{\"ends_at\": null}").has("ends_at")).isFalse();

    assertThat(json("PATCH", path(), "{\"ends_at\": \"soon\"}").body()).contains("/ends_at");
    assertThat(json("PATCH", path(), "{\"ends_at\": 7}").body()).contains("/ends_at");
  }

  @Test
  void isListedPageByPage() {
    var mine = "g-" + UUID.randomUUID();
    graph(mine, "{ id: a, type: router }");
    var made = new ArrayList<String>();
    for (int i = 0; i < 5; i++) {
      var body =
          "{\"cron\": \"@daily\", \"run\": {\"graph\": \"%s\", \"input\": {}}}".formatted(mine);
      made.add(done(json("POST", "/v1/schedules", body)).textOrEmpty("id"));
    }
    Collections.sort(made);

    var listed = new ArrayList<String>();
    var cursor = "";
    do {
      var page = get("/v1/schedules?limit=2&graph=" + mine + cursor);
      page.objects("items").forEach(it -> listed.add(it.textOrEmpty("id")));
      cursor = page.has("next_cursor") ? "&cursor=" + page.textOrEmpty("next_cursor") : "";
    } while (!cursor.isEmpty());

    assertThat(listed).isEqualTo(made);
    made.forEach(it -> json("DELETE", "/v1/schedules/" + it, ""));
  }
}
