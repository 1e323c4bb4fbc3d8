package dev.superstep.security;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodySubscribers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicReference;
import java.util.regex.Pattern;

/// A tenant that has something of everything: graphs, runs that have ended, wait and ask, threads,
/// forks, children, questions, tasks of workers, items, assistants, calls, keys, cursors.
final class TenantThings {
  private static final HttpClient HTTP = HttpClient.newHttpClient();
  private static final Duration ANSWER_MAX = Duration.ofSeconds(20);
  private static final Duration GLANCE = Duration.ofMillis(500);
  private static final Pattern ID = Pattern.compile("\"id\":\"([^\"]+)\"");

  private final int port;
  private final String tenant;
  private final String word;
  private final String key;
  private final Duration patience;

  /// @param word with which the ids begin that its clients choose
  /// @param key of its clients
  TenantThings(int port, String tenant, String word, String key) {
    this(port, tenant, word, key, GLANCE.multipliedBy(10));
  }

  private TenantThings(int port, String tenant, String word, String key, Duration patience) {
    this.port = port;
    this.tenant = tenant;
    this.word = word;
    this.key = key;
    this.patience = patience;
  }

  /// The same for who reaches what others have: streams of it that end with their runs.
  TenantThings hasty() {
    return new TenantThings(port, tenant, word, key, GLANCE);
  }

  String tenant() {
    return tenant;
  }

  /// What only answers to its own clients may contain.
  String secret() {
    return "5ecret-of-" + tenant;
  }

  /// An answer.
  ///
  /// @param text what came of the body until the time was over
  record Answer(int status, Map<String, List<String>> headers, String text) {}

  Answer call(String method, String target, String body, Map<String, String> headers) {
    return call(method, target, body, headers, ANSWER_MAX);
  }

  /// @param max after which the answer is what has come of it
  private Answer call(
      String method, String target, String body, Map<String, String> headers, Duration max) {
    var request =
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + target))
            .header("Authorization", "Bearer " + key)
            .method(
                method, body.isEmpty() ? BodyPublishers.noBody() : BodyPublishers.ofString(body));
    if (!body.isEmpty()) {
      request.header("Content-Type", "application/json");
    }
    headers.forEach(request::header);
    var come = new ByteArrayOutputStream();
    var head = new AtomicReference<Answer>(new Answer(0, Map.of(), ""));
    var answer =
        HTTP.sendAsync(
            request.build(),
            info -> {
              head.set(new Answer(info.statusCode(), info.headers().map(), ""));
              return BodySubscribers.ofByteArrayConsumer(it -> it.ifPresent(come::writeBytes));
            });
    try {
      answer.get(max.toMillis(), TimeUnit.MILLISECONDS);
    } catch (TimeoutException _) {
      answer.cancel(true);
    } catch (ExecutionException | InterruptedException e) {
      throw new IllegalStateException(method + " " + target, e);
    }
    var got = head.get();
    return new Answer(got.status(), got.headers(), come.toString(StandardCharsets.UTF_8));
  }

  /// Like a call, for what may have no end.
  Answer glance(String method, String target, String body, Map<String, String> headers) {
    return call(
        method, target, body, headers, target.endsWith("/stream/events") ? GLANCE : patience);
  }

  private String done(String method, String target, String body, Map<String, String> headers) {
    var answer = call(method, target, body, headers);
    assertThat(answer.status())
        .as("%s of %s: %s", target, tenant, answer.text())
        .isBetween(200, 299);
    return answer.text();
  }

  private String post(String target, String body) {
    return done("POST", target, body.replace("WORD", word).replace("SECRET", secret()), Map.of());
  }

  private String get(String target) {
    return done("GET", target.replace("WORD", word), "", Map.of());
  }

  private static String find(Pattern what, String text) {
    var found = what.matcher(text);
    assertThat(found.find()).as("%s in %s", what, text).isTrue();
    return found.group(1);
  }

  private static String id(String text) {
    return find(ID, text);
  }

  private static String member(String name, String text) {
    return find(Pattern.compile("\"" + name + "\":\"([^\"]+)\""), text);
  }

  /// Makes them.
  ///
  /// @return ids that nobody chose, by what they are of
  Map<String, String> make() throws IOException {
    graphs();
    var webhook = pausedWebhook();
    var first =
        """
        {"graph":"WORD-ends","id":"WORD-run","thread_id":"WORD-thread","input":{"said":"SECRET"},
         "metadata":{"who":"WORD","said":"SECRET"}}
        """;
    done(
        "POST",
        "/v1/runs?wait=20s",
        first.replace("WORD", word).replace("SECRET", secret()),
        Map.of("Idempotency-Key", word + "-idempotent"));
    post(
        "/v1/runs?wait=20s",
        "{\"graph\":\"WORD-asks\",\"id\":\"WORD-asking\",\"thread_id\":\"WORD-open\",\"input\":{\"said\":\"SECRET\"}}");
    post(
        "/v1/runs",
        "{\"graph\":\"WORD-waits\",\"id\":\"WORD-active\",\"thread_id\":\"WORD-busy\",\"input\":{\"said\":\"SECRET\"}}");
    post(
        "/v1/runs?wait=20s",
        "{\"graph\":\"WORD-calls\",\"id\":\"WORD-parent\",\"input\":{\"said\":\"SECRET\"}}");
    for (var run : List.of("working", "queueing")) {
      post(
          "/v1/runs",
          "{\"graph\":\"WORD-works\",\"id\":\"WORD-%s\",\"input\":{\"said\":\"SECRET\"}}"
              .formatted(run));
    }
    post(
        "/v1/runs/%s-run/fork?wait=20s".formatted(word),
        "{\"checkpoint\":0,\"thread_id\":\"WORD-forked\"}");
    done(
        "PUT",
        "/langgraph/store/items",
        "{\"namespace\":[\"WORD\",\"notes\"],\"key\":\"WORD-item\",\"value\":{\"said\":\"SECRET\"}}"
            .replace("WORD", word)
            .replace("SECRET", secret()),
        Map.of());
    post(
        "/v1/schedules",
        """
        {"id":"WORD-schedule","cron":"@yearly","run":{"graph":"WORD-ends","input":{"said":"SECRET"}}}
        """);
    var ids = made();
    ids.put("webhook", webhook);
    ids.put("delivery", delivery(webhook));
    return ids;
  }

  /// What it is told waits: rows of its deliveries do not change.
  private String pausedWebhook() {
    var made =
        post(
            "/v1/webhooks",
            "{\"url\":\"https://example.com/WORD\",\"graphs\":[\"WORD-ends\"],\"description\":\"SECRET\"}");
    done("PATCH", "/v1/webhooks/" + id(made), "{\"paused\":true}", Map.of());
    return id(made);
  }

  private String delivery(String webhook) {
    return id(
        await()
            .atMost(ANSWER_MAX)
            .until(() -> get("/v1/webhooks/%s/deliveries".formatted(webhook)), ID.asPredicate()));
  }

  private void graphs() {
    var graph =
        """
        {"name":"WORD-%s","description":"SECRET","channels":{"said":{}},"nodes":[%s],
         "edges":[{"from":"__start__","to":"a"}]}
        """;
    post("/v1/graphs", graph.formatted("ends", "{\"id\":\"a\",\"type\":\"router\"}"));
    post(
        "/v1/graphs",
        graph.formatted(
            "asks", "{\"id\":\"a\",\"type\":\"human\",\"config\":{\"payload\":\"SECRET\"}}"));
    post(
        "/v1/graphs",
        graph.formatted("waits", "{\"id\":\"a\",\"type\":\"wait\",\"config\":{\"for\":\"1h\"}}"));
    post(
        "/v1/graphs",
        graph.formatted(
            "works",
            """
            {"id":"a","type":"worker","config":{
              "task_type":"WORD-work","heartbeat":"1h","input":{"said":"SECRET"}}}
            """));
    post(
        "/v1/graphs",
        graph.formatted(
            "calls",
            "{\"id\":\"a\",\"type\":\"subgraph\",\"config\":{\"graph\":\"WORD-asks\",\"input\":{}}}"));
  }

  private Map<String, String> made() {
    var ids = new LinkedHashMap<String, String>();
    var task = post("/v1/tasks/claim?wait=20s&type=%s-work".formatted(word), "");
    ids.put("task", id(task));
    ids.put("token", member("token", task));
    ids.put("interrupt", id(get("/v1/runs/WORD-asking/interrupts")));
    ids.put("child", id(get("/v1/runs?parent=WORD-parent")));
    ids.put(
        "assistant",
        member(
            "assistant_id",
            post(
                "/langgraph/assistants",
                "{\"graph_id\":\"WORD-ends\",\"name\":\"SECRET\",\"metadata\":{\"said\":\"SECRET\"}}")));
    done(
        "PATCH",
        "/langgraph/assistants/" + ids.get("assistant"),
        "{\"name\":\"%s, too\"}".formatted(secret()),
        Map.of());
    ids.put(
        "talk",
        member("thread_id", post("/langgraph/threads", "{\"metadata\":{\"said\":\"SECRET\"}}")));
    post(
        "/langgraph/threads/%s/runs/wait".formatted(ids.get("talk")),
        "{\"assistant_id\":\"%s\",\"input\":{\"said\":\"SECRET\"}}"
            .formatted(ids.get("assistant")));
    ids.put("call", member("run_id", get("/langgraph/threads/%s/runs".formatted(ids.get("talk")))));
    ids.put(
        "checkpoint",
        member("checkpoint_id", get("/langgraph/threads/%s/state".formatted(ids.get("talk")))));
    ids.put(
        "cron",
        member(
            "cron_id",
            post(
                "/langgraph/runs/crons",
                "{\"assistant_id\":\"WORD-ends\",\"schedule\":\"@yearly\",\"input\":{\"said\":\"SECRET\"}}")));
    ids.put("cursor", member("next_cursor", get("/v1/runs?limit=1")));
    ids.put("key", id(post("/v1/keys", "{\"name\":\"WORD-key\",\"roles\":[\"viewer\"]}")));
    return ids;
  }
}
