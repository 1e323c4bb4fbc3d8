package dev.superstep.run.trigger;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.superstep.state.value.ObjectValue;
import dev.superstep.state.value.Value;
import java.net.http.HttpResponse;
import java.util.UUID;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// Schedules of definitions and crons of LangGraph's clients, for whom they start runs, and between
/// tenants.
@TriggerApiTest
class DeclaredTriggersApiTests extends TriggerCalls {
  private String graph = "";

  @BeforeEach
  void namesWhatItMakes() {
    key = "alpha";
    graph = "g-" + UUID.randomUUID();
  }

  private HttpResponse<String> declare(String triggers) {
    return post(
        "name: %s\nchannels: { n: {} }\nnodes: [{ id: a, type: router }]\n%s\n"
            .formatted(graph, triggers));
  }

  private ObjectValue schedule(String id) {
    return done(json("GET", "/v1/schedules/" + id, ""));
  }

  private int days = 1;

  /// Of a day for which nothing was decided.
  private ObjectValue start(String id) {
    days++;
    jdbc.sql(
            """
            update run_schedule
               set next_at = date_trunc('day', now()) - :days * interval '1 day',
                   ends_at = date_trunc('day', now()) - :days * interval '1 day', due_at = now()
             where id like :id
            """)
        .param("id", "%" + id)
        .param("days", days)
        .update();
    int before = schedule(id).objects("starts").size();
    starts.startDue();
    await()
        .until(() ->
            schedule(id).objects("starts").size() > before
                && schedule(id).objects("starts").stream()
                    .noneMatch(it -> it.textOrEmpty("status").equals("waiting")));
    return schedule(id).objects("starts").getLast();
  }

  @Test
  void belongsToTheNewestVersion() {
    done(declare("triggers: { night: { schedule: { cron: '@daily', input: { n: 7 } } } }"));
    var id = graph + ".night";
    assertThat(schedule(id).textOrEmpty("trigger")).isEqualTo("night");
    assertThat(json("DELETE", "/v1/schedules/" + id, "").statusCode()).isEqualTo(409);
    assertThat(json("PATCH", "/v1/schedules/" + id, "{\"cron\": \"@hourly\"}").statusCode())
        .isEqualTo(409);
    done(json("PATCH", "/v1/schedules/" + id, "{\"paused\": true}"));

    done(declare("triggers: { night: { schedule: { cron: '@hourly', input: { n: 8 } } } }"));
    assertThat(schedule(id).textOrEmpty("cron")).isEqualTo("@hourly");
    assertThat(schedule(id).get("paused")).as("stays paused").isEqualTo(Value.TRUE);
    done(json("PATCH", "/v1/schedules/" + id, "{\"paused\": false}"));
    var run = start(id).textOrEmpty("run_id");
    assertThat(done(json("GET", "/v1/runs/" + run + "?wait=20s", "")).objectOrEmpty("input"))
        .isEqualTo(ObjectValue.of("n", Value.of(8)));

    done(declare("description: without"));
    assertThat(json("GET", "/v1/schedules/" + id, "").statusCode()).isEqualTo(404);
    done(declare("triggers: { night: { schedule: { cron: '@daily' } } }"));
    assertThat(json("DELETE", "/v1/graphs/" + graph, "").statusCode()).isEqualTo(204);
    assertThat(json("GET", "/v1/schedules/" + id, "").statusCode()).isEqualTo(404);
  }

  @Test
  void refusesTriggersThatCannotWork() {
    for (var trigger :
        new String[] {
          "schedule: { cron: '61 * * * *' }",
          "schedule: { cron: '@daily', zone: Mars }",
          "{}",
          "webhook: { scheme: github, secret: 'secret:unknown' }",
          "webhook: { scheme: github, secret: plain }",
          "webhook: { scheme: github, secret: 'secret:github', when: 'state.x' }",
          "event: { match: 'true' }",
          "event: { name: x, match: body.x }",
          "event: { name: x }, schedule: { cron: '@daily' }",
          "schedule: { cron: '0 * * * *', jitter: 2h }"
        }) {
      var text =
          trigger.equals("{}")
              ? "triggers: { t: {} }"
              : "triggers: { t: { %s } }".formatted(trigger);
      assertThat(declare(text).statusCode()).as(trigger).isEqualTo(422);
    }
  }

  @Test
  void asksAuthorsForTheRightToStartRuns() {
    key("acme", "\"author\"");

    var answer = declare("triggers: { night: { schedule: { cron: '@daily' } } }");

    assertThat(answer.statusCode()).isEqualTo(403);
    assertThat(declare("").statusCode()).isEqualTo(201);
  }

  @Test
  void startsForWhoHasSetItUpUntilThatKeyIsRevoked() {
    key("acme", "\"author\", \"runner\"");
    done(declare("triggers: { night: { schedule: { cron: '@daily' } } }"));
    var run = start(graph + ".night").textOrEmpty("run_id");
    assertThat(done(json("GET", "/v1/runs/" + run, "")).textOrEmpty("created_by")).isEqualTo(keyId);
    var revoked = keyId;
    key("acme", "\"author\", \"runner\"");
    var mine = key;
    key = "alpha";
    assertThat(json("GET", "/v1/schedules/" + graph + ".night", "").statusCode())
        .as("of another tenant")
        .isEqualTo(404);
    assertThat(json("DELETE", "/v1/keys/" + revoked, "").statusCode()).isEqualTo(204);
    key = mine;

    var missed = start(graph + ".night");

    assertThat(missed.textOrEmpty("reason")).isEqualTo("forbidden");
    done(declare("triggers: { night: { schedule: { cron: '@daily' } } }"));
    assertThat(start(graph + ".night").textOrEmpty("status")).isEqualTo("started");
  }

  @Test
  void takesCronsOfLangGraphsClients() {
    done(declare(""));
    var thread = UUID.randomUUID().toString();
    done(json("POST", "/langgraph/threads", "{\"thread_id\": \"%s\"}".formatted(thread)));
    var body =
        "{\"assistant_id\": \"%s\", \"schedule\": \"0 9 * * *\", \"input\": {\"n\": 5}, \"metadata\": {\"a\": \"b\"}, \"end_time\": \"2999-01-01T00:00:00\"}"
            .formatted(graph);
    var alone = done(json("POST", "/langgraph/runs/crons", body)).textOrEmpty("cron_id");
    var inThread = done(json("POST", "/langgraph/threads/" + thread + "/runs/crons", body));
    assertThat(inThread.textOrEmpty("thread_id")).isEqualTo(thread);
    assertThat(inThread.textOrEmpty("next_run_date")).contains("T09:00");

    var ofGraph = "{\"assistant_id\": \"%s\"}".formatted(graph);
    assertThat(json("POST", "/langgraph/runs/crons/count", ofGraph).body()).isEqualTo("2");
    var ofThread = "{\"thread_id\": \"%s\", \"enabled\": true}".formatted(thread);
    assertThat(json("POST", "/langgraph/runs/crons/search", ofThread).body())
        .contains(inThread.textOrEmpty("cron_id"))
        .doesNotContain(alone);
    var run = start(inThread.textOrEmpty("cron_id")).textOrEmpty("run_id");
    var shown = done(json("GET", "/langgraph/threads/%s/runs/%s".formatted(thread, run), ""));
    assertThat(shown.objectOrEmpty("metadata").textOrEmpty("a")).isEqualTo("b");
    assertThat(shown.objectOrEmpty("metadata").textOrEmpty("schedule"))
        .isEqualTo(inThread.textOrEmpty("cron_id"));
    assertThat(start(alone).textOrEmpty("status")).isEqualTo("started");

    var changed =
        done(
            json(
                "PATCH",
                "/langgraph/runs/crons/" + alone,
                "{\"enabled\": false, \"schedule\": \"@daily\"}"));
    assertThat(changed.get("enabled")).isEqualTo(Value.FALSE);
    assertThat(changed.textOrEmpty("schedule")).isEqualTo("@daily");
    assertThat(json("DELETE", "/langgraph/runs/crons/" + alone, "").statusCode()).isEqualTo(204);
    assertThat(json("POST", "/langgraph/runs/crons/count", ofGraph).body()).isEqualTo("1");
    assertThat(json("DELETE", "/langgraph/runs/crons/" + alone, "").statusCode()).isEqualTo(404);
  }
}
