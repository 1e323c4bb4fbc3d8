package dev.superstep.fault;

import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.database.TestDatabase;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.state.value.Value;
import java.io.File;
import java.io.IOException;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import javax.tools.ToolProvider;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// E53: agents that know nothing of Superstep, written as the pages of their frameworks show, in an
/// application of which one of two replicas is killed with SIGKILL again and again. A call of a
/// model or of a tool is made again only if it was in flight then: its answer was on its way, and
/// is not recorded.
class AgentSigkillIT {
  private static final long SEED = Long.getLong("agents.seed", 53);
  private static final int RUNS = 14;
  private static final int KILLS_WITH_CACHE = 10;
  private static final Path PAGE = Path.of("docs/embedding.md");
  private static final Pattern JAVA = Pattern.compile("(?s)```java\\n(.*?)```\\n");
  private static final Pattern CLASS = Pattern.compile("public (?:class|interface) (\\w+)");

  private static final String GRAPH =
      """
      name: AGENT
      channels: { answer: {}, question: {} }
      nodes:
        - id: agent
          type: function
          retry: { max_attempts: 50, initial_interval: 50ms }
          config: { function: AGENT }
      edges: [{ from: __start__, to: agent }]
      """;

  private static final Path AGENTS = Path.of("src/server/test/agents");

  @TempDir private Path folder;
  private final Random random = new Random(SEED);

  @Test
  @Timeout(value = 5, unit = TimeUnit.MINUTES)
  void repeatsNoCall() throws Exception {
    kill(Integer.getInteger("agents.kills", 2), application());
  }

  @Test
  @Tag("fault")
  @Timeout(value = 90, unit = TimeUnit.MINUTES)
  void repeatsNoCallOverManyKills() throws Exception {
    kill(Integer.getInteger("agents.kills", 200), application());
  }

  /// @param code what the application consists of
  /// @param functions agents
  private record Application(List<String> code, List<String> functions) {}

  private static Application application() throws IOException {
    var code =
        new ArrayList<>(
            JAVA.matcher(Files.readString(PAGE)).results().map(it -> it.group(1)).toList());
    for (var name : List.of("Streamer", "Teller", "Workflows")) {
      code.add(Files.readString(AGENTS.resolve(name + ".java")));
    }
    return new Application(
        code, List.of("buy", "stream", "assist", "tell", "write", "plan", "supervise"));
  }

  private void kill(int kills, Application application) throws Exception {
    var jars = new ArrayList<>(jars());
    jars.addFirst(compiled(application, jars));
    try (var provider = new AgentProvider();
        var replicas =
            new ReplicaPair(
                folder, command(jars, kills), TestDatabase.fresh(), settings(provider))) {
      replicas.start();
      provider.recordedIn(replicas.jdbc());
      for (var function : application.functions()) {
        var graph =
            request(replicas.first(), "/v1/graphs")
                .header("Content-Type", "application/yaml")
                .POST(BodyPublishers.ofString(GRAPH.replace("AGENT", function)));
        assertThat(replicas.first().once(graph, 20).status()).isEqualTo(201);
      }
      var runs = play(replicas, provider, kills, application.functions());
      runs.forEach(it -> check(left(replicas, kills), provider, it));
      assertThat(provider.wrong()).isEmpty();
      assertThat(provider.calls())
          .as("a kill that hit no call would show nothing")
          .isGreaterThan(provider.places());
      System.out.printf(
          "seed %d: %d kills, %d calls of models and tools, %d again%n",
          SEED, kills, provider.places(), provider.calls() - provider.places());
    }
  }

  /// Where one replica after the other is started, their classes come from a cache.
  private List<String> command(List<Path> jars, int kills) throws Exception {
    if (kills < KILLS_WITH_CACHE) {
      return Installation.java("-cp", path(jars), "shop.Shop");
    }
    var cache = folder.resolve("classes.aot");
    var environment = new HashMap<>(TestDatabase.environment(TestDatabase.fresh()));
    try (var provider = new AgentProvider()) {
      environment.putAll(settings(provider));
      try (var trained =
          new Replica(
              Files.createDirectories(folder.resolve("trained")),
              Installation.java("-XX:AOTCacheOutput=" + cache, "-cp", path(jars), "shop.Shop"),
              environment)) {
        trained.start();
        trained.awaitReady();
      }
    }
    return Installation.java(
        "-XX:AOTMode=on", "-XX:AOTCache=" + cache, "-cp", path(jars), "shop.Shop");
  }

  private static Map<String, String> settings(AgentProvider provider) {
    return Map.of(
        "SPRING_AI_OPENAI_API_KEY",
        "none",
        "SPRING_AI_OPENAI_BASE_URL",
        provider.url() + "/v1",
        "MARKET_URL",
        provider.url(),
        "MODEL_URL",
        provider.url() + "/v1",
        "SUPERSTEP_LEASE",
        "2s",
        "SUPERSTEP_TAKEOVERSMAX",
        "20");
  }

  /// The starter, and what Maven gives to an application that has it and both frameworks.
  private static List<Path> jars() throws IOException {
    var jar = Path.of(Objects.requireNonNull(System.getProperty("superstep.starter")));
    var libraries = Files.readString(jar.resolveSibling("agents-class-path")).strip();
    var jars = new ArrayList<>(List.of(jar));
    Arrays.stream(libraries.split(File.pathSeparator)).map(Path::of).forEach(jars::add);
    return jars;
  }

  private static String path(List<Path> jars) {
    return String.join(File.pathSeparator, jars.stream().map(Path::toString).toList());
  }

  private Path compiled(Application application, List<Path> jars) throws IOException {
    var classes = Files.createDirectories(folder.resolve("classes"));
    var arguments =
        new ArrayList<>(
            List.of("-proc:none", "-parameters", "-d", classes.toString(), "-cp", path(jars)));
    for (var code : application.code()) {
      var name =
          CLASS
              .matcher(code)
              .results()
              .map((MatchResult it) -> it.group(1))
              .findFirst()
              .orElseThrow();
      arguments.add(Files.writeString(folder.resolve(name + ".java"), code).toString());
    }
    var compiler = ToolProvider.getSystemJavaCompiler();
    assertThat(compiler.run(null, null, null, arguments.toArray(String[]::new))).isZero();
    var jar = folder.resolve("shop.jar");
    var jarTool = java.util.spi.ToolProvider.findFirst("jar").orElseThrow();
    assertThat(
            jarTool.run(
                System.out, System.err, "-cf", jar.toString(), "-C", classes.toString(), "."))
        .isZero();
    return jar;
  }

  private static HttpRequest.Builder request(Replica replica, String path) {
    var login = Base64.getEncoder().encodeToString("ada:secret".getBytes(StandardCharsets.UTF_8));
    return replica.request(path).header("Authorization", "Basic " + login);
  }

  private List<String> play(
      ReplicaPair replicas, AgentProvider provider, int kills, List<String> functions)
      throws InterruptedException {
    var runs = new ArrayList<String>();
    for (int i = 0; i < kills; i++) {
      var killed = i % 2 == 0 ? replicas.first() : replicas.second();
      var other = i % 2 == 0 ? replicas.second() : replicas.first();
      for (int n = 0; n < RUNS; n++) {
        var run = "run-%d-%d".formatted(i, n);
        post(n % 4 < 3 ? killed : other, functions.get(n % functions.size()), run);
        runs.add(run);
      }
      LockSupport.parkNanos(Duration.ofMillis(100 + random.nextInt(700)).toNanos());
      provider.during(killed::kill);
      if (i < kills - 1) {
        killed.start();
        killed.awaitReady();
      }
    }
    return runs;
  }

  /// Who goes on alone behind the last kill.
  private static Replica left(ReplicaPair replicas, int kills) {
    return kills % 2 == 0 ? replicas.first() : replicas.second();
  }

  private static void post(Replica replica, String graph, String run) {
    var body =
        """
        {"graph": "%s", "id": "%s", "input": {"question": "Order for %s, please: "}}
        """
            .formatted(graph, run, run);
    var request =
        request(replica, "/v1/runs")
            .header("Content-Type", "application/json")
            .POST(BodyPublishers.ofString(body));
    assertThat(replica.once(request, 60).status()).isEqualTo(202);
  }

  private static void check(Replica replica, AgentProvider provider, String run) {
    var ended =
        Awaitility.await()
            .atMost(Duration.ofMinutes(2))
            .pollInterval(Duration.ofMillis(200))
            .until(
                () -> replica.once(request(replica, "/v1/runs/" + run).GET(), 20),
                it -> List.of("succeeded", "failed").contains(it.text("status")));
    assertThat(ended.text("status")).as(ended.toString()).isEqualTo("succeeded");
    var output = ObjectValue.orEmpty(ended.get("output"));
    assertThat(output.getOr("answer", Value.NULL))
        .isInstanceOfSatisfying(
            Value.Text.class, it -> assertThat(provider.hasGiven(run, it.value())).isTrue());
  }
}
