package dev.superstep.packaging;

import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.fault.Installation;
import dev.superstep.fault.Replica;
import dev.superstep.json.Json;
import dev.superstep.json.Yaml;
import dev.superstep.state.value.ListValue;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.state.value.Value;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.api.parallel.Isolated;
import org.springframework.util.FileSystemUtils;

/// Readers cannot stop a replica: every read of both documents, by a key that may only read, of the
/// largest data that the limits admit, thirty at a time, with the heap that the chart gives.
@Tag("fault")
@Isolated("times what it is answered")
@TestInstance(Lifecycle.PER_CLASS)
class ReadersIT {
  private static final int PARALLEL = 30;

  /// What a request may be answered with. What does not fit is refused, and nothing fails.
  private static final Set<Integer> ANSWERS = Set.of(200, 204, 400, 404, 409, 422, 429, 503);

  /// Calls of models and of tools go elsewhere; what is not served, or not to readers.
  private static final Pattern OTHER =
      Pattern.compile(
          ".*(/crons|/tools|/models|/keys|/audit|/storage|threads/[^/]+/stream(/events)?$).*");

  private static final Pattern SEARCHES =
      Pattern.compile(".*/(search|count|history|versions|namespaces|checkpoint)$");

  private static final Pattern PARAMETER = Pattern.compile("\\{([^}]+)}");
  private static final Map<String, String> WIDEST =
      Map.of("limit", "200", "xray", "true", "recurse", "true");

  private static final Duration ALIVE = Duration.ofSeconds(1);
  private static final Duration OTHERS = Duration.ofSeconds(2);

  private static final String JSON = "application/json";
  private static final String OPERATOR = "operator-of-readers";

  private final HttpClient http = HttpClient.newHttpClient();
  private final Map<String, String> ids = new TreeMap<>();
  private final Replica service;
  private String key = OPERATOR;

  ReadersIT() throws IOException {
    var folder = Installation.packaged().resolveSibling("readers");
    FileSystemUtils.deleteRecursively(folder);
    service =
        new Replica(
            Files.createDirectories(folder),
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx384m",
                "-jar",
                Installation.packaged().toString()),
            Map.of("SUPERSTEP_API_KEYS", OPERATOR));
  }

  /// A read of one of the documents.
  private record Read(String method, String path, String body) {
    @Override
    public String toString() {
      return "%s %s %s".formatted(method, path, body);
    }
  }

  private record Seen(int status, Duration time) {}

  @BeforeAll
  void stores() {
    service.start();
    service.awaitReady();
    post("/v1/graphs", "application/yaml", graph("readers", "", 0));
    for (int i = 0; i < 4; i++) {
      post("/v1/graphs", "application/yaml", graph("large", "d".repeat(900_000), i));
    }
    post("/v1/graphs", "application/yaml", outer());
    var small = run("small", "[1]");
    ids.put("small", small);
    for (int i = 0; i < 2; i++) {
      ids.put("run", run("readers-thread", numbers(400_000)));
    }
    ids.put("thread", "readers-thread");
    storesOfTheOtherFace();
    key = text(post("/v1/keys", JSON, "{\"name\": \"reader\", \"scopes\": [\"read\"]}"), "secret");
  }

  private void storesOfTheOtherFace() {
    var text = "{\"text\": \"%s\"}".formatted("x".repeat(60_000));
    var assistant =
        post(
            "/langgraph/assistants",
            JSON,
            "{\"graph_id\": \"outer\", \"config\": {\"configurable\": %1$s}, \"context\": %1$s, \"metadata\": %1$s}"
                .formatted(text));
    ids.put("assistant", text(assistant, "assistant_id"));
    for (int i = 0; i < 40; i++) {
      send(new Read("PATCH", "/langgraph/assistants/" + ids.get("assistant"), text("name", i)));
      post(
          "/langgraph/assistants",
          JSON,
          "{\"graph_id\": \"readers\", \"metadata\": %s}".formatted(text));
    }
    for (int i = 0; i < 12; i++) {
      send(new Read("PUT", "/langgraph/store/items", item(i)));
    }
  }

  private static String item(int key) {
    return "{\"namespace\": [\"n\"], \"key\": \"k%d\", \"value\": {\"l\": %s}}"
        .formatted(key, numbers(400_000));
  }

  private static String text(String member, int value) {
    return "{\"%s\": \"%d\"}".formatted(member, value);
  }

  private static String graph(String name, String text, int value) {
    return """
    name: %s
    channels: { text: { default: "%s" } }
    nodes: [{ id: n, type: expression, config: { update: { n: "%d" } } }]
    edges: [{ from: __start__, to: n }]
    """
        .formatted(name, text, value);
  }

  /// Calls the largest graph in many places.
  private static String outer() {
    var nodes =
        IntStream.range(0, 10)
            .mapToObj(
                "- { id: n%d, type: subgraph, config: { graph: large, input: {} } }"::formatted)
            .collect(Collectors.joining("\n"));
    return "name: outer\nnodes:\n%s\nedges: [{ from: __start__, to: n0 }]\n".formatted(nodes);
  }

  private static String numbers(int count) {
    return IntStream.range(0, count)
        .mapToObj(it -> Integer.toString(it % 10))
        .collect(Collectors.joining(",", "[", "]"));
  }

  private String run(String thread, String list) {
    var body =
        "{\"graph\": \"readers\", \"thread_id\": \"%s\", \"input\": {\"l\": %s}}"
            .formatted(thread, list);
    return text(post("/v1/runs?wait=60s", JSON, body), "id");
  }

  private Value post(String path, String type, String body) {
    var request = request(path).header("Content-Type", type);
    var answer = answer(request.POST(BodyPublishers.ofString(body)));
    assertThat(answer.statusCode()).as("%s: %s", path, answer.body()).isBetween(200, 202);
    return Json.read(answer.body());
  }

  private HttpRequest.Builder request(String path) {
    return HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + service.port() + path))
        .header("Authorization", "Bearer " + key);
  }

  private HttpResponse<String> answer(HttpRequest.Builder request) {
    try {
      return http.send(request.build(), BodyHandlers.ofString());
    } catch (IOException | InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  private static String text(Value object, String member) {
    return object instanceof ObjectValue members
            && members.getOr(member, Value.NULL) instanceof Value.Text(var text)
        ? text
        : "";
  }

  @AfterAll
  void ends() {
    service.close();
    http.close();
  }

  @Test
  void answersOthersWhileEverythingIsRead() throws Exception {
    var over = new AtomicBoolean();
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      var current = new String[] {""};
      var probes = new Watch("liveness", this::liveness, ALIVE);
      var alive = threads.submit(() -> watches(probes, over, current));
      var run = new Watch("a small run", this::other, OTHERS);
      var others = threads.submit(() -> watches(run, over, current));
      try {
        for (var read : reads()) {
          current[0] = read.toString();
          var calls = Collections.nCopies(PARALLEL, (Callable<Seen>) () -> send(read));
          for (var seen : threads.invokeAll(calls)) {
            assertThat(seen.get().status()).as("%s", read).isIn(ANSWERS);
          }
        }
      } finally {
        over.set(true);
      }
      holds(probes, alive.get());
      holds(run, others.get());
    }
    assertThat(service.alive()).isTrue();
    assertThat(log()).doesNotContain("OutOfMemoryError");
    isIdleSoon();
  }

  private String log() throws IOException {
    return Files.readString(service.log());
  }

  /// What is to be answered meanwhile.
  private record Watch(String name, Callable<Seen> call, Duration limit) {}

  /// What was seen of one of them.
  private record Probe(int status, Duration time, String beside) {}

  private static List<Probe> watches(Watch watch, AtomicBoolean over, String[] current)
      throws Exception {
    var probes = new ArrayList<Probe>();
    while (!over.get()) {
      var reading = current[0];
      var seen = watch.call().call();
      probes.add(new Probe(seen.status(), seen.time(), reading));
      Thread.sleep(Duration.ofMillis(50));
    }
    return probes;
  }

  /// Ninety-nine of a hundred in time, and the slowest within twice that: a machine that builds has
  /// pauses of its own.
  private static void holds(Watch watch, List<Probe> probes) {
    assertThat(probes).allMatch(it -> it.status() == 200);
    var sorted = probes.stream().sorted(Comparator.comparing(Probe::time)).toList();
    var late = sorted.get(sorted.size() * 99 / 100);
    var last = sorted.getLast();
    System.out.printf(
        "readers: %s %d times, p99 %d ms, longest %d ms beside %s%n",
        watch.name(), sorted.size(), late.time().toMillis(), last.time().toMillis(), last.beside());
    assertThat(late.time()).as("%s", late).isLessThanOrEqualTo(watch.limit());
    assertThat(last.time()).as("%s", last).isLessThanOrEqualTo(watch.limit().multipliedBy(2));
  }

  /// Nothing is computed five seconds after the last answer.
  private void isIdleSoon() {
    var process = ProcessHandle.of(service.pid()).orElseThrow();
    Awaitility.await()
        .atMost(Duration.ofSeconds(5))
        .pollDelay(Duration.ZERO)
        .pollInterval(Duration.ofMillis(1))
        .until(() -> {
          var before = process.info().totalCpuDuration().orElseThrow();
          Thread.sleep(Duration.ofSeconds(1));
          var used = process.info().totalCpuDuration().orElseThrow().minus(before);
          return used.compareTo(Duration.ofMillis(500)) < 0;
        });
  }

  private Seen liveness() {
    return send(
        HttpRequest.newBuilder(
            URI.create(
                "http://127.0.0.1:%d/actuator/health/liveness"
                    .formatted(service.managementPort()))));
  }

  private Seen other() {
    return send(new Read("GET", "/v1/runs/" + ids.get("small"), ""));
  }

  private Seen send(Read read) {
    var request = request(read.path());
    return send(
        read.method().equals("GET")
            ? request
            : request
                .header("Content-Type", JSON)
                .method(read.method(), BodyPublishers.ofString(read.body())));
  }

  private Seen send(HttpRequest.Builder request) {
    long begun = System.nanoTime();
    int status;
    try {
      status = http.send(request.build(), BodyHandlers.discarding()).statusCode();
    } catch (IOException _) {
      status = 0;
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
      status = 0;
    }
    return new Seen(status, Duration.ofNanos(System.nanoTime() - begun));
  }

  private List<Read> reads() throws IOException {
    var reads = new ArrayList<Read>();
    collect(Yaml.read(Files.readString(Path.of("docs/openapi.yaml"))), reads);
    collect(Json.read(answer(request("/v3/api-docs/langgraph")).body()), reads);
    assertThat(reads).hasSizeGreaterThan(80);
    var paths = reads.stream().map(Read::path).toList();
    for (var wanted : List.of("/stream", "/join", "?xray=true", "?recurse=true")) {
      assertThat(paths).as(wanted).anyMatch(it -> it.endsWith(wanted));
    }
    return reads;
  }

  private void collect(Value document, List<Read> into) {
    object(object(document).get("paths"))
        .forEach((path, operations) -> {
          if (!OTHER.matcher(path).matches()) {
            if (object(operations).has("get")) {
              gets(path, object(operations).get("get")).forEach(into::add);
            }
            if (object(operations).has("post") && SEARCHES.matcher(path).matches()) {
              var filled = filled(path);
              into.add(new Read("POST", filled, "{\"limit\": 1}"));
              into.add(new Read("POST", filled, "{\"limit\": 1000, \"metadata\": {\"a\": \"b\"}}"));
              if (path.matches("/langgraph/threads/(search|count)")) {
                into.add(new Read("POST", filled, "{\"limit\": 1000, \"values\": {\"n\": \"0\"}}"));
              }
              if (path.contains("/store/")) {
                into.add(new Read("POST", filled, "{\"limit\": 1000, \"namespace_prefix\": []}"));
              }
            }
          }
        });
  }

  /// As it is, with the longest page, and with what is inside it.
  private List<Read> gets(String path, @org.jspecify.annotations.Nullable Value operation) {
    var filled = filled(path);
    var parameters = object(operation).getOr("parameters", ListValue.empty()).toString();
    var reads = new ArrayList<>(List.of(new Read("GET", filled, "")));
    WIDEST.forEach((name, value) -> {
      if (parameters.contains("\"" + name + "\"")) {
        reads.add(new Read("GET", "%s?%s=%s".formatted(filled, name, value), ""));
      }
    });
    return reads;
  }

  private String filled(String path) {
    return PARAMETER
        .matcher(path)
        .replaceAll(it ->
            switch (it.group(1)) {
              case "name" -> "large";
              case "version", "number", "checkpoint" -> "1";
              case "thread_id", "thread" -> ids.getOrDefault("thread", "");
              case "assistant_id" -> ids.getOrDefault("assistant", "");
              case "id", "run", "run_id" ->
                  path.startsWith("/v1/runs") || path.startsWith("/langgraph")
                      ? ids.getOrDefault("run", "")
                      : "unknown";
              default -> "unknown";
            });
  }

  private static ObjectValue object(@org.jspecify.annotations.Nullable Value value) {
    return value instanceof ObjectValue object ? object : ObjectValue.empty();
  }
}
