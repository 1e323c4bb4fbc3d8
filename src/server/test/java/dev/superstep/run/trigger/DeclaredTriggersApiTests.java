package dev.superstep.run.trigger;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.superstep.SuperstepApplication;
import dev.superstep.database.TestDatabase;
import dev.superstep.json.Json;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.state.value.Value;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.UUID;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.context.annotation.Import;
import org.springframework.jdbc.core.simple.JdbcClient;

/// Schedules of definitions and crons of LangGraph's clients, for whom they start runs, and between
/// tenants. In the context of [HookApiTests].
@SpringBootTest(
    classes = SuperstepApplication.class,
    webEnvironment = WebEnvironment.RANDOM_PORT,
    properties = {
      "management.server.port=0",
      "superstep.api-keys=alpha",
      "superstep.tenants.enabled=true",
      "superstep.hooks.body-max=10KB",
      "hook-test.secret=It's a Secret to Everybody",
      "superstep.secrets.github.reference=property:hook-test.secret",
      "superstep.secrets.github.hosts=api.github.com",
      "superstep.secrets.gone.reference=property:hook-test.gone",
      "superstep.secrets.gone.hosts=api.github.com"
    })
@Import(TestDatabase.class)
class DeclaredTriggersApiTests {
  private static final HttpClient HTTP = HttpClient.newHttpClient();

  @LocalServerPort private int port;
  @Autowired private JdbcClient jdbc;
  @Autowired private ScheduledStarts starts;
  private String graph = "";
  private String keyId = "";
  private String key = "alpha";

  @BeforeEach
  void namesWhatItMakes() {
    graph = "g-" + UUID.randomUUID();
  }

  private HttpResponse<String> send(String method, String path, String type, String body) {
    var request =
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path))
            .header("Authorization", "Bearer " + key)
            .header("Content-Type", type)
            .method(
                method, body.isEmpty() ? BodyPublishers.noBody() : BodyPublishers.ofString(body))
            .build();
    try {
      return HTTP.send(request, BodyHandlers.ofString());
    } catch (IOException | InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  private HttpResponse<String> json(String method, String path, String body) {
    return send(method, path, "application/json", body);
  }

  private ObjectValue done(HttpResponse<String> answer) {
    assertThat(answer.statusCode()).as(answer.body()).isBetween(200, 299);
    return (ObjectValue) Json.read(answer.body());
  }

  private HttpResponse<String> post(String triggers) {
    return send(
        "POST",
        "/v1/graphs",
        "application/yaml",
        "name: %s\nchannels: { n: {} }\nnodes: [{ id: a, type: router }]\n%s\n"
            .formatted(graph, triggers));
  }

  /// Goes on with a key of a tenant.
  private void key(String tenant, String roles) {
    var name = UUID.randomUUID().toString();
    var body =
        "{\"name\": \"k-%s\", \"tenant\": \"%s\", \"roles\": [%s]}".formatted(name, tenant, roles);
    var made = done(json("POST", "/v1/keys", body));
    keyId = made.textOrEmpty("id");
    key = made.textOrEmpty("secret");
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
    done(post("triggers: { night: { schedule: { cron: '@daily', input: { n: 7 } } } }"));
    var id = graph + ".night";
    assertThat(schedule(id).textOrEmpty("trigger")).isEqualTo("night");
    assertThat(json("DELETE", "/v1/schedules/" + id, "").statusCode()).isEqualTo(409);
    assertThat(json("PATCH", "/v1/schedules/" + id, "{\"cron\": \"@hourly\"}").statusCode())
        .isEqualTo(409);
    done(json("PATCH", "/v1/schedules/" + id, "{\"paused\": true}"));

    done(post("triggers: { night: { schedule: { cron: '@hourly', input: { n: 8 } } } }"));
    assertThat(schedule(id).textOrEmpty("cron")).isEqualTo("@hourly");
    assertThat(schedule(id).get("paused")).as("stays paused").isEqualTo(Value.TRUE);
    done(json("PATCH", "/v1/schedules/" + id, "{\"paused\": false}"));
    var run = start(id).textOrEmpty("run_id");
    assertThat(done(json("GET", "/v1/runs/" + run + "?wait=20s", "")).objectOrEmpty("input"))
        .isEqualTo(ObjectValue.of("n", Value.of(8)));

    done(post("description: without"));
    assertThat(json("GET", "/v1/schedules/" + id, "").statusCode()).isEqualTo(404);
    done(post("triggers: { night: { schedule: { cron: '@daily' } } }"));
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
          "event: { name: x }",
          "schedule: { cron: '0 * * * *', jitter: 2h }"
        }) {
      var text =
          trigger.equals("{}")
              ? "triggers: { t: {} }"
              : "triggers: { t: { %s } }".formatted(trigger);
      assertThat(post(text).statusCode()).as(trigger).isEqualTo(422);
    }
  }

  @Test
  void asksAuthorsForTheRightToStartRuns() {
    key("acme", "\"author\"");

    var answer = post("triggers: { night: { schedule: { cron: '@daily' } } }");

    assertThat(answer.statusCode()).isEqualTo(403);
    assertThat(post("").statusCode()).isEqualTo(201);
  }

  @Test
  void startsForWhoHasSetItUpUntilThatKeyIsRevoked() {
    key("acme", "\"author\", \"runner\"");
    done(post("triggers: { night: { schedule: { cron: '@daily' } } }"));
    var run = start(graph + ".night").textOrEmpty("run_id");
    assertThat(done(json("GET", "/v1/runs/" + run, "")).textOrEmpty("created_by")).isEqualTo(keyId);
    var revoked = keyId;
    key = "alpha";
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
    done(post("triggers: { night: { schedule: { cron: '@daily' } } }"));
    assertThat(start(graph + ".night").textOrEmpty("status")).isEqualTo("started");
  }

  @Test
  void takesCronsOfLangGraphsClients() {
    done(post(""));
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
