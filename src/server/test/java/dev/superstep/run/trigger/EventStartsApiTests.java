package dev.superstep.run.trigger;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.superstep.checkpoint.event.IncomingEvents;
import dev.superstep.checkpoint.event.IncomingEvents.StartingEvent;
import dev.superstep.state.value.ObjectValue;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.transaction.support.TransactionOperations;

/// Events that start runs, each once, and turns between tenants.
@TriggerApiTest
class EventStartsApiTests extends TriggerCalls {
  @Autowired private EventStarts eventStarts;
  @Autowired private IncomingEvents incoming;
  @Autowired private RunScheduleRows schedules;
  @Autowired private TransactionOperations transaction;
  private String graph = "";
  private String type = "";

  @BeforeEach
  void namesWhatItMakes() {
    key("events-" + UUID.randomUUID(), "\"author\", \"runner\", \"answerer\", \"operator\"");
    graph = "g-" + UUID.randomUUID();
    type = "order." + UUID.randomUUID();
  }

  private void declare(String event) {
    done(
        post(
            """
            name: %s
            channels: { amount: {}, order: {} }
            nodes: [{ id: a, type: router }]
            triggers: { paid: { event: { name: %s%s } } }
            """
                .formatted(graph, type, event)));
  }

  private void sendEvent(String id, String data) {
    var body =
        """
        {"specversion": "1.0", "id": "%s", "source": "/shop", "type": "%s", "data": %s}
        """
            .formatted(id, type, data);
    var answer = json("POST", "/v1/events", body);
    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(204);
  }

  private List<ObjectValue> runs() {
    return get("/v1/runs?limit=100&graph=" + graph).objects("items");
  }

  /// Until no event of this tenant is to start anything.
  private List<ObjectValue> settled() {
    await()
        .until(() ->
            jdbc.sql(
                    """
                    select not exists (select from incoming_event
                                        where type = :type and starts_at is not null)
                    """)
                .param("type", type)
                .query(Boolean.class)
                .single());
    return runs();
  }

  @Test
  void startsARunForEachEventThatMatches() {
    declare(", match: event.data.amount > 10, input: { amount: '{{ event.data.amount }}' }");
    sendEvent("e-1", "{\"amount\": 30}");
    sendEvent("e-1", "{\"amount\": 30}");
    sendEvent("e-2", "{\"amount\": 3}");
    sendEvent("e-3", "{\"other\": 3}");

    var started = settled();

    assertThat(started).hasSize(1);
    var run = get("/v1/runs/" + started.getFirst().textOrEmpty("id") + "?wait=20s");
    assertThat(run.objectOrEmpty("input")).hasToString("{\"amount\":30}");
    assertThat(run.objectOrEmpty("metadata"))
        .hasToString("{\"event\":\"e-1\",\"trigger\":\"paid\"}");
    assertThat(run.textOrEmpty("created_by")).isEqualTo(keyId);
  }

  @Test
  void startsEachRunOnceWhoeverLooksAndHoweverOften() throws InterruptedException {
    declare("");
    IntStream.range(0, 40).forEach(it -> sendEvent("e-" + it, "{\"order\": %d}".formatted(it)));
    assertThat(settled()).hasSize(40);
    runs().subList(0, 5).forEach(it -> erase(it.textOrEmpty("id")));
    jdbc.sql("update incoming_event set starts_at = now() where type = :type")
        .param("type", type)
        .update();
    var looks =
        IntStream.range(0, 4)
            .mapToObj(_ -> Thread.ofVirtual().start(eventStarts::startDue))
            .toList();
    for (var look : looks) {
      look.join();
    }

    assertThat(settled()).as("also of runs that are gone").hasSize(35);
  }

  /// As if the term of each had ended while it was at work.
  @Test
  void startsOneRunIfSeveralHaveTakenAnEvent() throws InterruptedException {
    sendEvent("e-1", "{\"order\": 1}");
    declare("");
    var id =
        jdbc.sql("select id from incoming_event where type = :type")
            .param("type", type)
            .query((row, _) -> row.getString(1))
            .single();
    var taken =
        new StartingEvent(incoming.find(id).orElseThrow(), Instant.now(), Instant.now(), Set.of());
    var takers =
        IntStream.range(0, 4)
            .mapToObj(_ -> Thread.ofVirtual().start(() -> eventStarts.start(taken)))
            .toList();
    for (var taker : takers) {
      taker.join();
    }

    assertThat(settled()).hasSize(1);
  }

  @Test
  void startsNothingByAnEventThatHasExpired() {
    declare("");
    var body =
        """
        {"specversion": "1.0", "id": "old", "source": "/shop", "type": "%s", "data": {},
         "expirytime": "2020-01-01T00:00:00Z"}
        """
            .formatted(type);
    assertThat(json("POST", "/v1/events", body).statusCode()).isEqualTo(204);

    assertThat(settled()).isEmpty();
  }

  private void erase(String run) {
    await().until(() -> json("DELETE", "/v1/runs/" + run, "").statusCode() == 204);
  }

  @Test
  void knowsAnEventByItsRunOnceItIsForgotten() {
    declare("");
    sendEvent("e-1", "{\"order\": 1}");
    assertThat(settled()).hasSize(1);
    jdbc.sql("delete from incoming_event where type = :type").param("type", type).update();

    sendEvent("e-1", "{\"order\": 2}");

    assertThat(settled()).hasSize(1);
    assertThat(
            jdbc.sql("select cardinality(started) from incoming_event where type = :type")
                .param("type", type)
                .query(Integer.class)
                .single())
        .isEqualTo(1);
  }

  /// As of a replica of before, which knows of tasks that wait only, or of one that has died.
  @Test
  void startsWhatAnotherReplicaHasTaken() {
    declare("");
    sendEvent("e-1", "{\"order\": 1}");
    assertThat(settled()).hasSize(1);
    int copied =
        jdbc.sql(
                """
                insert into incoming_event (id, type, content, received_at, expires_at, delivered)
                select id || '-other', type, content, now(), expires_at, true
                  from incoming_event where type = :type
                """)
            .param("type", type)
            .update();
    assertThat(copied).isEqualTo(1);

    assertThat(settled()).hasSize(2);
  }

  @Test
  void startsNothingForAKeyThatIsRevokedNorForAnotherTenant() {
    declare("");
    var mine = key;
    var revoked = keyId;
    key("events-" + UUID.randomUUID(), "\"author\", \"runner\", \"answerer\", \"operator\"");
    sendEvent("e-1", "{\"order\": 1}");
    assertThat(settled()).isEmpty();
    assertThat(get("/v1/triggers").objects("items")).isEmpty();
    key = mine;
    sendEvent("e-2", "{\"order\": 2}");
    assertThat(settled()).hasSize(1);
    key = "alpha";
    var tenant = "tenant_of(id) = (select tenant_of(graph) from inbound_hook where event = :type)";
    assertThat(json("DELETE", "/v1/keys/" + revoked, "").statusCode()).isEqualTo(204);
    jdbc.sql(
            "update incoming_event set id = id || '-again', started = '{}', starts_at = now() where"
                + " type = :type and "
                + tenant)
        .param("type", type)
        .update();
    await()
        .until(
            () ->
                jdbc.sql(
                        "select count(*) from incoming_event where type = :type and started <>"
                            + " '{}'")
                    .param("type", type)
                    .query(Integer.class)
                    .single(),
            it -> it == 1);
    assertThat(
            jdbc.sql("select count(*) from run where graph like '%/' || :graph or graph = :graph")
                .param("graph", graph)
                .query(Integer.class)
                .single())
        .isEqualTo(1);
  }

  @Test
  void listsWhatStartsRunsPageByPage() {
    done(
        post(
            """
            name: %s
            channels: { n: {} }
            nodes: [{ id: a, type: router }]
            triggers:
              a: { event: { name: x, match: event.data.ok } }
              b: { webhook: { scheme: github, secret: "secret:github" } }
              c: { event: { name: y } }
            """
                .formatted(graph)));

    var first = get("/v1/triggers?limit=2");
    var next = get("/v1/triggers?limit=2&cursor=" + first.textOrEmpty("next_cursor"));

    assertThat(first.objects("items"))
        .extracting(it -> it.textOrEmpty("trigger"))
        .containsExactly("a", "b");
    assertThat(first.objects("items").getFirst().textOrEmpty("event")).isEqualTo("x");
    assertThat(first.objects("items").getLast().textOrEmpty("path"))
        .startsWith("/v1/hooks/events-")
        .endsWith("/" + graph + "/b");
    assertThat(next.objects("items")).hasSize(1);
    assertThat(next.has("next_cursor")).isFalse();
    assertThat(get("/v1/triggers?graph=none").objects("items")).isEmpty();
  }

  @Test
  void refusesMoreTriggersOfAnEventThanOneMayStart() {
    declare("");
    jdbc.sql(
            """
            insert into inbound_hook (graph, trigger, version, event, input, caller, credential, changed_at)
            select graph, 'other-' || number, version, event, input, caller, credential, changed_at
              from inbound_hook, generate_series(2, :max) as number where event = :type
            """)
        .param("max", DeclaredTriggers.EVENT_MAX)
        .param("type", type)
        .update();
    graph = "g-" + UUID.randomUUID();

    var answer =
        post(
            "name: %s\nchannels: { n: {} }\nnodes: [{ id: a, type: router }]\ntriggers: { t: { event: { name: %s } } }\n"
                .formatted(graph, type));

    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(422);
    assertThat(answer.body()).contains("limit_exceeded").contains("/triggers/t/event/name");
  }

  /// In a transaction that is rolled back, so that nobody else looks at them.
  @Test
  void givesEachTenantItsTurn() {
    declare("");
    var many = graph;
    key("events-" + UUID.randomUUID(), "\"author\", \"runner\", \"answerer\", \"operator\"");
    graph = "g-" + UUID.randomUUID();
    declare("");

    var turns =
        transaction.execute(status -> {
          status.setRollbackOnly();
          due(many, 150);
          due(graph, 1);
          return schedules.due(Instant.parse("1990-01-01T00:00:00Z"), 100);
        });

    assertThat(turns).hasSize(100).anyMatch(it -> it.endsWith(graph));
  }

  private void due(String graph, int count) {
    jdbc.sql(
            """
            insert into run_schedule
                   (id, graph, cron, zone, jitter_ms, overlap, catch_up, form, request, caller,
                    credential, paused, created_at, changed_at, due_at)
            select tenant_of(hook.graph) || '/' || number || '-' || :graph, hook.graph, '@daily', 'UTC',
                   0, 'skip', 'none', 'v1', '{}', '', 'none', true, now(), now(),
                   '1980-01-01Z'::timestamptz + :count * interval '-1 day'
              from inbound_hook hook, generate_series(1, :count) as number
             where hook.graph like '%' || :graph
            """)
        .param("graph", graph)
        .param("count", count)
        .update();
  }
}
