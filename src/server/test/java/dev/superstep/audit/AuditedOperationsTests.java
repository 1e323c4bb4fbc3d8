package dev.superstep.audit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.SuperstepApplication;
import dev.superstep.database.TestDatabase;
import dev.superstep.langgraph.FaceClient;
import dev.superstep.langgraph.FaceClient.Reply;
import dev.superstep.langgraph.FaceGraphs;
import dev.superstep.state.value.ListValue;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.state.value.Value;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.UUID;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.context.annotation.Import;
import org.springframework.jdbc.core.simple.JdbcClient;

/// Every operation of both OpenAPI documents that takes more than the scope `read` is called here,
/// and records what it says here, or is listed with the reason why it records nothing.
@SpringBootTest(
    classes = SuperstepApplication.class,
    webEnvironment = WebEnvironment.RANDOM_PORT,
    properties = {"management.server.port=0", "superstep.api-keys=alpha"})
@Import(TestDatabase.class)
class AuditedOperationsTests {
  private static final Set<String> METHODS = Set.of("get", "post", "put", "patch", "delete");

  /// What nobody may find in the log: of inputs, states, answers, metadata, names of keys.
  private static final String CANARY = "canary-4711";

  private static final Map<String, String> RECORD_NOTHING =
      Map.ofEntries(
          Map.entry("getStorage", "reads"),
          Map.entry("listKeys", "reads"),
          Map.entry("listAuditEvents", "reads"),
          Map.entry("exportAuditEvents", "reads"),
          Map.entry("verifyAuditLog", "reads"),
          Map.entry("previewContext", "stores nothing"),
          Map.entry("evaluateExpression", "stores nothing"),
          Map.entry("testGraph", "stores nothing"),
          Map.entry("testStoredGraph", "stores nothing"),
          Map.entry("validateGraph", "stores nothing"),
          Map.entry("claimTasks", "is what a run does, like a call of a tool"),
          Map.entry("heartbeatTask", "is what a run does"),
          Map.entry("endTask", "is what a run does"),
          Map.entry("releaseTask", "is what a run does"),
          Map.entry("recordTaskStep", "is what a run does"),
          Map.entry("listWebhooks", "reads"),
          Map.entry("getWebhook", "reads"),
          Map.entry("listDeliveries", "reads"),
          Map.entry("getDelivery", "reads"),
          Map.entry("langGraphLabelState", "is refused to everybody"));

  @LocalServerPort private int port;
  @Autowired private JdbcClient jdbc;
  private FaceClient client = new FaceClient(0);
  private final Map<String, Operation> operations = new TreeMap<>();
  private final Set<String> called = new TreeSet<>();

  private record Operation(String method, String path, List<String> scopes) {}

  @BeforeEach
  void readsTheDocuments() {
    client = new FaceClient(port);
    collect("/v3/api-docs/v1");
    collect("/v3/api-docs/langgraph");
    assertThat(operations).hasSizeGreaterThan(100);
  }

  @Test
  void recordsWhatEveryOperationChanges() {
    graphsAndRuns();
    interruptsAndEdits();
    messages();
    threads();
    schedules();
    keys();
    webhooks();
    assistantsAndItems();
    runsOfTheOtherFace();
    threadsOfTheOtherFace();

    var missing = new TreeSet<String>();
    operations.forEach((name, operation) -> {
      if (!operation.scopes().isEmpty() && !operation.scopes().contains("read")) {
        missing.add(name.replaceFirst("_[0-9]+$", ""));
      }
    });
    missing.removeAll(called);
    assertThat(missing)
        .as("operations that record nothing; call them here, or say why they need not")
        .containsExactlyInAnyOrderElementsOf(RECORD_NOTHING.keySet());
    assertThat(jdbc.sql("select audit_event::text from audit_event").query(String.class).list())
        .isNotEmpty()
        .noneMatch(it -> it.contains(CANARY) || it.contains("superstep_") || it.contains("alpha"));
  }

  private void graphsAndRuns() {
    var plain =
        """
        {"name": "plain", "channels": {"said": {}},
         "nodes": [{"id": "a", "type": "expression", "config": {"update": {"said": "'%s'"}}}],
         "edges": [{"from": "__start__", "to": "a"}]}
        """
            .formatted(CANARY);
    call("createGraph", plain, "graph.post plain@1");
    call("createGraph", plain, "graph.post plain@1");
    for (var graph :
        List.of(
            FaceGraphs.question("question"),
            FaceGraphs.division("division"),
            FaceGraphs.chat("chat"))) {
      var posted =
          client.send(
              "POST",
              "/v1/graphs",
              graph,
              "Authorization",
              "Bearer alpha",
              "Content-Type",
              "application/yaml");
      assertThat(posted.status()).as(posted.text()).isEqualTo(201);
    }

    var input = "{\"graph\": \"plain\", \"input\": {\"said\": \"%s\"}%s}";
    var waited = call("startRun?wait=30s", input.formatted(CANARY, ""), "run.start *");
    call("startRun", input.formatted(CANARY, ""), "run.start *");
    call("startRun", input.formatted(CANARY, ", \"id\": \"named\""), "run.start named");
    call("startRun", input.formatted(CANARY, ", \"id\": \"named\""));
    call("startRun", input.formatted(CANARY, ", \"thread_id\": \"t\""), "run.start *");
    call("streamRun", input.formatted(CANARY, ""), "run.start *");
    var run = waited.at("/id");
    call(on("forkRun?wait=30s", run), "{\"checkpoint\": 0}", "run.fork *");
    call(on("deleteRun", run), "", "run.delete " + run);
    call(on("deleteGraph", "plain"), "", "graph.delete plain");
  }

  private void messages() {
    var listens =
        """
        {"name": "listens", "channels": {"said": {"reducer": "append"}},
         "nodes": [{"id": "ask", "type": "human", "config": {"payload": "?"}}]}
        """;
    call("createGraph", listens, "graph.post listens@1");
    var start = "{\"graph\": \"listens\", \"input\": {}, \"thread_id\": \"heard\"}";
    var run = call("startRun?wait=30s", start, "run.start *").at("/id");
    var message = "{\"channel\": \"said\", \"id\": \"%s\", \"value\": \"" + CANARY + "\"}";
    call(on("sendRunMessage", run), message.formatted("m"), "message.send " + run + "#m");
    call(on("sendRunMessage", run), message.formatted("m"));
    call(on("sendThreadMessage", "heard"), message.formatted("n"), "message.send " + run + "#n");
    var event =
        "{\"specversion\": \"1.0\", \"id\": \"e\", \"source\": \"/a\", \"type\": \"b\", \"data\":"
            + " \"%s\"}";
    call("sendEvent", event.formatted(CANARY), "event.send *");
    call("sendEvent", event.formatted(CANARY));
  }

  private void interruptsAndEdits() {
    var asks = "{\"graph\": \"question\", \"input\": {}}";
    var run = call("startRun?wait=30s", asks, "run.start *");
    var question = run.at("/interrupts/0/id");
    var answer = "{\"value\": \"%s\"}".formatted(CANARY);
    call(on("claimInterrupt", question), "{}", "interrupt.claim " + question);
    call(on("releaseInterrupt", question), "{}", "interrupt.release " + question);
    call(
        on("delegateInterrupt", question),
        "{\"to\": \"nobody\"}",
        "interrupt.delegate " + question);
    call(
        on("answerInterrupt?wait=30s", question),
        "{\"value\": \"%s\", \"override\": true}".formatted(CANARY),
        "interrupt.override " + question,
        "interrupt.answer " + question);

    var other = call("startRun?wait=30s", asks, "run.start *");
    var answers = "{\"answers\": [%s]}".formatted(answer);
    call(
        on("resumeRun", other.at("/id")),
        answers,
        "interrupt.answer " + other.at("/interrupts/0/id"));

    var limited = call("startRun?wait=30s", asks, "run.start *");
    call(
        on("resumeRun", limited.at("/id")),
        "{\"answers\": [%s], \"limits\": {\"max_supersteps\": 9}}".formatted(answer),
        "interrupt.answer " + limited.at("/interrupts/0/id"));

    var ended = call("startRun?wait=30s", asks, "run.start *").at("/id");
    call(on("cancelRun?wait=30s", ended), "{}", "run.cancel " + ended);
    var begun = "{\"graph\": \"question\", \"input\": {}, \"interrupt_before\": [\"*\"]}";
    var stopped = call("startRun?wait=30s", begun, "run.start *").at("/id");
    call(on("stepRun?wait=30s", stopped), "{}", "run.step " + stopped);
    var later = "{\"graph\": \"question\", \"input\": {}, \"start_at\": \"2999-01-01T00:00:00Z\"}";
    var queued = call("startRun", later, "run.start *").at("/id");
    call(on("pauseRun", queued), "{}", "run.pause " + queued);
    call(on("pauseRun", queued), "{}");
    call(on("cancelRun", queued), "{}", "run.cancel " + queued);
    var failing = "{\"graph\": \"division\", \"input\": {\"divisor\": 0}}";
    var failed = call("startRun?wait=30s", failing, "run.start *").at("/id");
    call(on("resumeRun?wait=30s", failed), "{}", "run.resume " + failed);
    var edit = "{\"change\": {\"update\": {\"divisor\": 0}}}";
    call(on("resumeRun?wait=30s", failed), edit, "run.edit " + failed);
    var tasks = client.send("GET", "/v1/runs/" + failed + "/tasks", null, key()).text();
    var task = tasks.replaceFirst("(?s).*?\"task_id\":\"([0-9]+:divide)\".*", "$1");
    var resolve = "{\"resolve\": [{\"task_id\": \"%s\"}]}".formatted(task);
    call(on("resumeRun?wait=30s", failed), resolve, "task.resolve " + failed + "#" + task);
  }

  private void threads() {
    var named = "{\"thread_id\": \"talk\", \"metadata\": {\"of\": \"%s\"}}".formatted(CANARY);
    call("createThread", named, "thread.create talk");
    call(
        "createThread",
        named.replace("{\"thread_id", "{\"if_exists\": \"do_nothing\", \"thread_id"));
    var metadata = "{\"metadata\": {\"of\": \"%s\"}}".formatted(CANARY);
    call(on("updateThread", "talk"), metadata, "thread.update talk");
    var copy = call(on("copyThread", "talk"), "{}", "thread.copy *").at("/thread_id");
    call(on("deleteThread", copy), "", "thread.delete " + copy);
  }

  private void schedules() {
    var body =
        """
        {"id": "often", "cron": "@daily", "run": {"graph": "chat", "input": {}, "metadata": {"a": "%s"}}}
        """
            .formatted(CANARY);
    call("createSchedule", body, "schedule.create often");
    call(on("updateSchedule", "often"), "{\"paused\": true}", "schedule.update often");
    call(on("deleteSchedule", "often"), "", "schedule.delete often");
    var cron = "{\"assistant_id\": \"chat\", \"schedule\": \"0 0 * * *\", \"input\": {}}";
    var made = call("langGraphCreateCron", cron, "schedule.create *").at("/cron_id");
    var change = "{\"enabled\": false}";
    call(on("langGraphUpdateCron", made), change, "schedule.update " + made);
    call(on("langGraphDeleteCron", made), "", "schedule.delete " + made);
    call("createThread", "{\"thread_id\": \"often\"}", "thread.create often");
    call(on("langGraphCreateThreadCron", "often"), cron, "schedule.create *");
  }

  private void webhooks() {
    var graph = "{\"name\": \"hooked\", \"nodes\": [{\"id\": \"a\", \"type\": \"router\"}]}";
    call("createGraph", graph, "graph.post hooked@1");
    var body = "{\"url\": \"https://example.com/%s\", \"graphs\": [\"hooked\"]}".formatted(CANARY);
    var made = call("createWebhook", body, "webhook.create *").at("/id");
    call(on("updateWebhook", made), "{\"paused\": true}", "webhook.update " + made);
    call(on("rotateWebhook", made), "{}", "webhook.rotate " + made);
    call(on("replayDeliveries", made), "", "delivery.replay " + made);
    var start = "{\"graph\": \"hooked\", \"input\": {}}";
    call("startRun?wait=30s", start, "run.start *");
    var delivery =
        Awaitility.await()
            .until(
                () ->
                    jdbc.sql("select id from delivery where webhook = ?")
                        .param(made)
                        .query((row, _) -> row.getString(1))
                        .list(),
                it -> !it.isEmpty())
            .getFirst();
    call(on("replayDelivery", made + "/" + delivery), "", "delivery.replay " + delivery);
    call(on("deleteWebhook", made), "", "webhook.delete " + made);
  }

  private void keys() {
    var body = "{\"name\": \"%s\", \"roles\": [\"runner\"]}".formatted(CANARY);
    var made = call("createKey", body, "key.create *").at("/id");
    call(on("rotateKey", made), "{}", "key.rotate " + made);
    call(on("revokeKey", made), "", "key.revoke " + made);
  }

  private void assistantsAndItems() {
    var id = UUID.randomUUID().toString();
    var body =
        "{\"assistant_id\": \"%s\", \"graph_id\": \"chat\", \"name\": \"%s\"}"
            .formatted(id, CANARY);
    call("langGraphCreateAssistant", body, "assistant.create " + id);
    var name = "{\"name\": \"%s\"}".formatted(CANARY);
    call(on("langGraphUpdateAssistant", id), name, "assistant.update " + id);
    var version = "{\"version\": 1}";
    call(on("langGraphSetLatestAssistantVersion", id), version, "assistant.update " + id);
    call(on("langGraphDeleteAssistant", id), "", "assistant.delete " + id);
    var place = "{\"namespace\": [\"users\", \"u1\"], \"key\": \"likes\"%s}";
    var item = place.formatted(", \"value\": {\"is\": \"%s\"}".formatted(CANARY));
    call("langGraphPutItem", item, "memory.put users.u1#likes");
    call("langGraphDeleteItem", place.formatted(""), "memory.delete users.u1#likes");
  }

  private void runsOfTheOtherFace() {
    var input = "{\"messages\": [{\"role\": \"user\", \"content\": \"%s\"}]}".formatted(CANARY);
    var chat = "{\"assistant_id\": \"chat\", \"input\": %s%s}";
    var kept = chat.formatted(input, ", \"on_completion\": \"keep\"");
    call("langGraphCreateStatelessRun", kept, "thread.create *", "run.start *");
    call("langGraphWaitForStatelessRun", kept, "thread.create *", "run.start *");
    call("langGraphStreamStatelessRun", kept, "thread.create *", "run.start *");
    call(
        "langGraphCreateRuns",
        List.of(kept, kept).toString(),
        "thread.create *",
        "run.start *",
        "thread.create *",
        "run.start *");

    var thread = UUID.randomUUID().toString();
    var made = "{\"thread_id\": \"%s\", \"metadata\": {\"of\": \"%s\"}}".formatted(thread, CANARY);
    call("langGraphCreateThread", made, "thread.create " + thread);
    var onThread = chat.formatted(input, "");
    call(on("langGraphWaitForNewRun", thread), onThread, "thread.update " + thread, "run.start *");
    call(on("langGraphStreamNewRun", thread), onThread, "run.start *");
    var run = call(on("langGraphCreateRun", thread), onThread, "run.start *").at("/run_id");
    await(thread);
    var command =
        "{\"id\": 1, \"method\": \"run.start\", \"params\": %s}"
            .formatted(chat.formatted(input, ""));
    call(on("langGraphCommand", thread), command, "run.start *");
    await(thread);
    call(on("langGraphDeleteRun", thread + "/" + run), "", "run.delete " + run);

    var asks = "{\"assistant_id\": \"question\", \"input\": {}}";
    for (var cancel : List.of("langGraphCancelRun", "langGraphCancelRuns")) {
      var other = UUID.randomUUID().toString();
      call("langGraphCreateThread", made.replace(thread, other), "thread.create " + other);
      var later = asks.replace("}}", "}, \"after_seconds\": 3600}");
      var begun =
          call(on("langGraphCreateRun", other), later, "thread.update " + other, "run.start *")
              .at("/run_id");
      if (cancel.equals("langGraphCancelRun")) {
        call(on(cancel, other + "/" + begun), "{}", "run.cancel " + begun);
      } else {
        var both = "{\"thread_id\": \"%s\", \"run_ids\": [\"%s\"]}".formatted(other, begun);
        call(cancel, both, "run.cancel " + begun);
      }
    }
  }

  private void threadsOfTheOtherFace() {
    var thread = UUID.randomUUID().toString();
    var made = "{\"thread_id\": \"%s\"}".formatted(thread);
    call("langGraphCreateThread", made, "thread.create " + thread);
    var metadata = "{\"metadata\": {\"of\": \"%s\"}}".formatted(CANARY);
    call(on("langGraphUpdateThread", thread), metadata, "thread.update " + thread);
    var asks = "{\"assistant_id\": \"question\", \"input\": {}}";
    call(on("langGraphWaitForNewRun", thread), asks, "thread.update " + thread, "run.start *");
    var resume =
        "{\"assistant_id\": \"question\", \"command\": {\"resume\": \"%s\"}}".formatted(CANARY);
    call(
        on("langGraphWaitForNewRun", thread),
        resume,
        "interrupt.answer *",
        "thread.resume " + thread);
    var values = "{\"values\": {\"said\": \"%s\"}}".formatted(CANARY);
    call(on("langGraphUpdateState", thread), values, "thread.edit " + thread, "run.fork *");
    var copy =
        call(on("langGraphCopyThread", thread), "{}", "thread.copy *", "thread.update *")
            .at("/thread_id");
    var both = "{\"thread_ids\": [\"%s\"]}".formatted(copy);
    call("langGraphPruneThreads", both, "thread.delete " + copy);
    call(on("langGraphDeleteThread", thread), "", "thread.delete " + thread);
  }

  private void await(String thread) {
    Awaitility.await()
        .until(() ->
            client
                .send("GET", "/langgraph/threads/" + thread, null, key())
                .at("/status")
                .equals("idle"));
  }

  private String[] key() {
    return new String[] {"Authorization", "Bearer alpha"};
  }

  /// An operation with the ids of its path, with slashes.
  private static String on(String operation, String ids) {
    return operation + " " + ids;
  }

  /// Calls an operation, and compares what has been recorded since.
  ///
  /// @param operation its id, a query, and the ids of its path
  /// @param recorded actions and ids of their objects; `*`: of any
  private Reply call(String operation, String body, String... recorded) {
    var last = jdbc.sql("select coalesce(max(id), 0) from audit_event").query(Long.class).single();
    int space = operation.indexOf(' ');
    var ids = space < 0 ? "" : operation.substring(space + 1);
    var parts = (space < 0 ? operation : operation.substring(0, space)).split("\\?", -1);
    var meant = Objects.requireNonNull(operations.get(parts[0]), operation);
    called.add(parts[0]);
    var path = meant.path();
    for (var id : ids.split("/", -1)) {
      path = path.replaceFirst("\\{[^}]*}", id);
    }
    var answer =
        client.send(
            meant.method(),
            path + (parts.length > 1 ? "?" + parts[1] : ""),
            body.isEmpty() ? null : body,
            key());
    assertThat(answer.status()).as("%s: %s", operation, answer.text()).isBetween(200, 204);
    var events =
        jdbc.sql(
                """
                select action || ' ' || object_id from audit_event
                 where id > ? and outcome = 'allowed' and tenant = 'default'
                   and credential = 'settings' and caller ~ '^[0-9a-f]{16}$'
                   and address = '127.0.0.1' and object_kind = split_part(action, '.', 1)
                 order by id
                """)
            .param(last)
            .query(String.class)
            .list();
    var wanted = new ArrayList<String>();
    for (int i = 0; i < recorded.length; i++) {
      boolean any = recorded[i].endsWith(" *") && i < events.size();
      var action = recorded[i].substring(0, recorded[i].indexOf(' ') + 1);
      wanted.add(any && events.get(i).startsWith(action) ? events.get(i) : recorded[i]);
    }
    assertThat(events).as("recorded of %s", operation).isEqualTo(wanted);
    return answer;
  }

  private void collect(String document) {
    var paths = client.send("GET", document, null, key()).object().objectOrEmpty("paths");
    paths
        .asMap()
        .forEach((path, item) ->
            ((ObjectValue) item)
                .asMap()
                .forEach((method, operation) -> {
                  if (METHODS.contains(method)) {
                    add(method, path, (ObjectValue) operation);
                  }
                }));
  }

  private void add(String method, String path, ObjectValue operation) {
    var id = FaceClient.find(operation, "/operationId");
    var scopes = (ListValue) Objects.requireNonNull(operation.get("x-scopes"), id);
    operations.put(
        id,
        new Operation(
            method.toUpperCase(Locale.ROOT),
            path,
            scopes.stream().map(it -> ((Value.Text) it).value()).toList()));
  }
}
