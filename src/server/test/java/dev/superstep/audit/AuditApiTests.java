package dev.superstep.audit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.superstep.SuperstepApplication;
import dev.superstep.database.TestDatabase;
import dev.superstep.json.Json;
import dev.superstep.langgraph.FaceClient;
import dev.superstep.langgraph.FaceClient.Reply;
import dev.superstep.langgraph.FaceGraphs;
import dev.superstep.problem.AuditedCaller;
import dev.superstep.problem.AuditedCaller.Credential;
import dev.superstep.state.value.ListValue;
import dev.superstep.state.value.Value;
import dev.superstep.tenant.Tenant;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.context.annotation.Import;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.transaction.support.TransactionOperations;

/// What the audit log shows, of whom, and that nobody changes it.
@SpringBootTest(
    classes = SuperstepApplication.class,
    webEnvironment = WebEnvironment.RANDOM_PORT,
    properties = {
      "management.server.port=0",
      "superstep.api-keys=alpha",
      "server.forward-headers-strategy=native"
    })
@Import(TestDatabase.class)
class AuditApiTests {
  private static final String CHAT = "{\"graph\": \"chat\", \"input\": {\"messages\": []}%s}";

  @LocalServerPort private int port;
  @Autowired private JdbcClient jdbc;
  @Autowired private AuditLog log;
  @Autowired private AuditQueue queue;
  @Autowired private AuditPurge purge;
  @Autowired private AuditSealer sealer;
  @Autowired private TransactionOperations transaction;
  private FaceClient client = new FaceClient(0);

  @BeforeEach
  void posts() {
    client = new FaceClient(port);
    var graph = FaceGraphs.chat("chat");
    var type = new String[] {"Authorization", "Bearer alpha", "Content-Type", "application/yaml"};
    assertThat(client.send("POST", "/v1/graphs", graph, type).status()).isIn(200, 201);
  }

  @Test
  void findsEventsByWhatIsAskedFor() {
    var begun = Instant.now().minusSeconds(5);
    var key = key("searches", "runner");
    var id = key.at("/id");
    var run = "by-" + UUID.randomUUID();
    var start = CHAT.formatted(", \"id\": \"%s\"".formatted(run));
    assertThat(call("POST", "/v1/runs", start, key.at("/secret")).status()).isIn(200, 201, 202);

    var found = search("object=" + run);
    assertThat(found).hasSize(1);
    var event = found.getFirst();
    assertThat(at(event, "/caller/id")).isEqualTo(id);
    assertThat(at(event, "/caller/credential")).isEqualTo("key");
    assertThat(at(event, "/caller/address")).isEqualTo("127.0.0.1");
    assertThat(at(event, "/action")).isEqualTo("run.start");
    assertThat(at(event, "/object/kind")).isEqualTo("run");
    assertThat(at(event, "/outcome")).isEqualTo("allowed");
    assertThat(at(event, "/times")).isEqualTo("1");
    assertThat(at(event, "/error_code")).isEmpty();
    for (var filter :
        List.of(
            "caller=" + id,
            "action=run.start&caller=" + id,
            "since=%s&caller=%s".formatted(begun, id),
            "until=%s&caller=%s".formatted(Instant.now().plusSeconds(60), id),
            "outcome=allowed&object=" + run)) {
      assertThat(search(filter)).as(filter).containsExactly(event);
    }
    for (var filter :
        List.of(
            "caller=another&object=" + run,
            "action=run.cancel&object=" + run,
            "since=%s&object=%s".formatted(Instant.now().plusSeconds(60), run),
            "until=%s&object=%s".formatted(begun, run),
            "outcome=refused&object=" + run,
            "object=another")) {
      assertThat(search(filter)).as(filter).isEmpty();
    }
    assertThat(call("GET", "/v1/audit?outcome=other", null, "alpha").status()).isEqualTo(422);
    assertThat(call("GET", "/v1/audit?cursor=x", null, "alpha").status()).isEqualTo(422);
  }

  @Test
  void showsEachEventOnceWhetherByPagesOrByLines() {
    var thread = UUID.randomUUID().toString();
    var named = "{\"thread_id\": \"%s\"}".formatted(thread);
    assertThat(call("POST", "/v1/threads", named, "alpha").status()).isEqualTo(201);
    for (int i = 0; i < 6; i++) {
      var change = "{\"metadata\": {\"n\": %d}}".formatted(i);
      assertThat(call("PATCH", "/v1/threads/" + thread, change, "alpha").status()).isEqualTo(200);
    }

    var paged = new ArrayList<String>();
    var next = "";
    do {
      var page = call("GET", "/v1/audit?limit=3&object=" + thread + next, null, "alpha");
      items(page).forEach(it -> paged.add(at(it, "/id")));
      next = page.at("/next_cursor").isEmpty() ? "" : "&cursor=" + page.at("/next_cursor");
    } while (!next.isEmpty());
    assertThat(paged).hasSize(7).doesNotHaveDuplicates();

    var first = lines("lines=2&object=" + thread);
    assertThat(first).hasSize(2);
    var rest = lines("object=%s&cursor=%s".formatted(thread, at(first.getLast(), "/id")));
    var all = new ArrayList<>(first);
    all.addAll(rest);
    assertThat(all.reversed().stream().map(it -> at(it, "/id"))).isEqualTo(paged);
    assertThat(all).map(it -> at(it, "/specversion")).containsOnly("1.0");
    var cloudEvent = all.getFirst();
    assertThat(at(cloudEvent, "/type")).isEqualTo("dev.superstep.audit.thread.create");
    assertThat(at(cloudEvent, "/source")).isEqualTo("/v1/audit");
    assertThat(at(cloudEvent, "/subject")).isEqualTo("thread/" + thread);
    assertThat(at(cloudEvent, "/datacontenttype")).isEqualTo("application/json");
    assertThat(at(cloudEvent, "/time")).isEqualTo(at(cloudEvent, "/data/at"));
    assertThat(at(cloudEvent, "/data/action")).isEqualTo("thread.create");
  }

  @Test
  void isReadByAdminsOnly() {
    var operator = key("operates", "operator").at("/secret");
    for (var path : List.of("/v1/audit", "/v1/audit/export", "/v1/audit/verify")) {
      assertThat(call("GET", path, null, operator).status()).isEqualTo(403);
    }
  }

  @Test
  void recordsWhoWasRefusedAndNothingThatAStrangerHasSent() {
    var viewer = key("looks", "viewer");
    for (int i = 0; i < 3; i++) {
      var refused = call("POST", "/v1/runs/secret-run/cancel", "{}", viewer.at("/secret"));
      assertThat(refused.status()).isEqualTo(403);
    }
    assertThat(call("GET", "/v1/runs/canary-path", null, "canary-key").status()).isEqualTo(401);
    var other =
        client.send("GET", "/langgraph/threads/canary-path", null, "x-api-key", "canary-key");
    assertThat(other.status()).isEqualTo(401);

    await()
        .untilAsserted(() -> {
          var refused = search("caller=%s&outcome=refused".formatted(viewer.at("/id")));
          assertThat(refused).isNotEmpty();
          assertThat(refused.stream().mapToInt(it -> Integer.parseInt(at(it, "/times"))).sum())
              .isEqualTo(3);
          var event = refused.getFirst();
          assertThat(at(event, "/action")).isEqualTo("call.cancelRun");
          assertThat(at(event, "/object/id")).isEqualTo("secret-run");
          assertThat(at(event, "/error_code")).isEqualTo("insufficient_scope");
          var unknown = search("action=authenticate&outcome=refused");
          assertThat(unknown.stream().mapToInt(it -> Integer.parseInt(at(it, "/times"))).sum())
              .isGreaterThanOrEqualTo(2);
          assertThat(at(unknown.getFirst(), "/error_code")).isEqualTo("unauthenticated");
          assertThat(at(unknown.getFirst(), "/caller/credential")).isEqualTo("none");
          assertThat(at(unknown.getFirst(), "/caller/id")).isEmpty();
        });
    assertThat(jdbc.sql("select audit_event::text from audit_event").query(String.class).list())
        .noneMatch(it -> it.contains("canary"));
  }

  /// What is undone is not recorded as done.
  @Test
  void recordsWhatFailedAsFailedOnly() {
    var key = key("fails", "runner");
    var thread = UUID.randomUUID().toString();
    var start = CHAT.formatted(", \"thread_id\": \"%s\", \"version\": 99".formatted(thread));
    assertThat(call("POST", "/v1/runs", start, key.at("/secret")).status()).isEqualTo(404);
    var missing = "/v1/runs/" + thread + "/cancel";
    assertThat(call("POST", missing, "{}", key.at("/secret")).status()).isEqualTo(404);
    assertThat(call("GET", "/v1/runs/" + thread, null, key.at("/secret")).status()).isEqualTo(404);

    await()
        .untilAsserted(() ->
            assertThat(search("caller=" + key.at("/id")))
                .map(it ->
                    at(it, "/action") + " " + at(it, "/outcome") + " " + at(it, "/error_code"))
                .containsExactlyInAnyOrder(
                    "call.cancelRun failed run_not_found",
                    "call.startRun failed version_not_found"));
  }

  @Test
  void recordsNothingOfATransactionThatIsUndone() {
    var thread = UUID.randomUUID().toString();
    assertThatThrownBy(() ->
            transaction.executeWithoutResult(_ -> {
              var caller =
                  new AuditedCaller(
                      Tenant.DEFAULT, Optional.empty(), Credential.NONE, Optional.empty());
              log.record(caller, AuditAction.THREAD_CREATE, thread);
              throw new IllegalStateException("undone");
            }))
        .hasMessage("undone");
    assertThat(search("object=" + thread)).isEmpty();
  }

  /// Behind a trusted proxy, as everywhere in the server.
  @Test
  void recordsTheAddressThatTheProxySends() {
    var thread = UUID.randomUUID().toString();
    var answer =
        client.send(
            "POST",
            "/v1/threads",
            "{\"thread_id\": \"%s\"}".formatted(thread),
            "Authorization",
            "Bearer alpha",
            "X-Forwarded-For",
            "203.0.113.9");
    assertThat(answer.status()).isEqualTo(201);
    assertThat(at(search("object=" + thread).getFirst(), "/caller/address"))
        .isEqualTo("203.0.113.9");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "update audit_event set action = 'none'",
        "delete from audit_event",
        "truncate audit_event"
      })
  void isChangedByNobody(String statement) {
    assertThatThrownBy(() -> jdbc.sql(statement).update())
        .rootCause()
        .hasMessageContaining("audit_event is append-only");
  }

  @Test
  void verifiesWhatIsSealed() {
    var thread = UUID.randomUUID().toString();
    var named = "{\"thread_id\": \"%s\"}".formatted(thread);
    assertThat(call("POST", "/v1/threads", named, "alpha").status()).isEqualTo(201);
    sealer.takeTurn();
    sealer.takeTurn();
    var answer = call("GET", "/v1/audit/verify", null, "alpha").ok();
    assertThat(answer.at("/verified")).isEqualTo("true");
    assertThat(Integer.parseInt(answer.at("/events"))).isPositive();
    var head = answer.at("/head");
    assertThat(head).matches("\\d+-[0-9a-f]{64}");
    var since = Instant.now().plusSeconds(60);
    for (var query : List.of("head=" + head, "since=" + since, "until=" + since)) {
      var part = call("GET", "/v1/audit/verify?" + query, null, "alpha").ok();
      assertThat(part.at("/verified")).as(query).isEqualTo("true");
    }
    var other = head.substring(0, head.indexOf('-')) + "-" + "0".repeat(64);
    var refuted = call("GET", "/v1/audit/verify?head=" + other, null, "alpha").ok();
    assertThat(refuted.at("/verified")).isEqualTo("false");
    assertThat(refuted.at("/broken/0/where")).isEqualTo("head");
    for (var query : List.of("head=1", "cursor=x", "since=x")) {
      assertThat(call("GET", "/v1/audit/verify?" + query, null, "alpha").status()).isEqualTo(422);
    }
  }

  @Test
  void keepsEventsForAsLongAsItIsToldTo() {
    var keep = Duration.ofDays(1_000);
    var now = Instant.now();
    var kept = UUID.randomUUID().toString();
    var gone = UUID.randomUUID().toString();
    for (var id : List.of(gone, kept)) {
      jdbc.sql(
              """
              insert into audit_event (at, tenant, credential, action, object_kind, object_id)
              values (?::timestamptz, 'aged', 'none', 'run.start', 'run', ?)
              """)
          .params(now.minus(keep).plusSeconds(id.equals(kept) ? 600 : -600).toString(), id)
          .update();
      sealer.takeTurn();
    }
    purge.purge(keep);
    assertThat(search("object=" + gone)).isEmpty();
    assertThat(search("object=" + kept)).hasSize(1);
  }

  /// A stranger causes as many refusals as he likes: their number is kept, but not each.
  @Test
  void boundsTheRowsOfRefusalsAndCountsThemAll() {
    int calls = 3 * AuditQueue.ROWS_MAX;
    var action = "flood-" + UUID.randomUUID();
    var tenant = new Tenant(action);
    for (int i = 0; i < calls; i++) {
      var caller =
          new AuditedCaller(
              tenant, Optional.empty(), Credential.NONE, Optional.of("192.0.2.1-" + i));
      queue.add(
          new AuditQueue.QueuedEvent(
              caller, action, Optional.empty(), AuditOutcome.REFUSED, Optional.of("x")));
    }
    await()
        .atMost(Duration.ofSeconds(20))
        .untilAsserted(() ->
            assertThat(count("select sum(times) from audit_event where tenant = ?", tenant.name()))
                .isEqualTo(calls));
    assertThat(count("select count(*) from audit_event where tenant = ?", tenant.name()))
        .isBetween(2L, AuditQueue.ROWS_MAX + 20L * AuditQueue.ROWS_PER_TURN);
  }

  private long count(String sql, String tenant) {
    return jdbc.sql(sql).param(tenant).query(Long.class).optional().orElse(0L);
  }

  private Reply key(String name, String role) {
    var body = "{\"name\": \"%s\", \"roles\": [\"%s\"]}".formatted(name + UUID.randomUUID(), role);
    var made = call("POST", "/v1/keys", body, "alpha");
    assertThat(made.status()).as(made.text()).isEqualTo(201);
    return made;
  }

  private Reply call(String method, String path, @Nullable String body, String key) {
    return client.send(method, path, body, "Authorization", "Bearer " + key);
  }

  private List<Value> search(String filter) {
    var found = call("GET", "/v1/audit?limit=200&" + filter, null, "alpha").ok();
    return items(found);
  }

  private static List<Value> items(Reply reply) {
    return ((ListValue) Objects.requireNonNull(reply.object().get("items"))).stream().toList();
  }

  private List<Value> lines(String filter) {
    var found = call("GET", "/v1/audit/export?" + filter, null, "alpha").ok();
    assertThat(found.header("Content-Type")).startsWith("application/x-ndjson");
    return found.text().lines().map(Json::read).toList();
  }

  private static String at(Value json, String pointer) {
    return FaceClient.find(json, pointer);
  }
}
