package dev.superstep.examples;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.superstep.database.TestDatabase;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.context.annotation.Import;

/// Every command on the pages under `examples/`, and on those of `docs/` that are to be tried, run
/// as it stands there. S0-12, S0-15: the seed's context merge, as expression and in Java.
@SpringBootTest(
    webEnvironment = WebEnvironment.RANDOM_PORT,
    properties = {
      "management.server.port=0",
      "superstep.egress.allow=127.0.0.1:*",
      "superstep.extensions=" + ExampleExtension.FOLDER,
      "spring.config.additional-location=file:examples/agents/"
    })
@Import(TestDatabase.class)
class ExamplesApiTests {
  private static final Path EXAMPLES = Path.of("examples");
  private static final List<Path> DOCS =
      List.of(Path.of("docs/channels.md"), Path.of("docs/prompt-context.md"));

  /// Issue 5, 3: plan, fan out, reflect, report; streamed. E41: a supervisor of two agents, one of
  /// which asks.
  private static final List<Path> AGENTS =
      List.of(
          Path.of("examples/agents/planner/README.md"),
          Path.of("examples/agents/supervisor/README.md"));

  /// Must be there before the service starts.
  private static final Path EXTENSIONS = ExampleExtension.build();

  @LocalServerPort int port;

  static List<Path> pages() throws IOException {
    try (var folders = Files.list(EXAMPLES)) {
      var examples =
          folders
              .map(it -> it.resolve("README.md"))
              .filter(it -> Files.exists(it) && !it.toString().contains("flaky"))
              .sorted();
      return Stream.of(examples, AGENTS.stream(), DOCS.stream()).flatMap(it -> it).toList();
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
    assertThat(EXTENSIONS).isNotEmptyDirectory();
    var walkthrough = Walkthrough.read(page);

    assertThat(walkthrough.steps()).isNotEmpty();
    walkthrough.run(Path.of("."), "http://127.0.0.1:" + port);
  }

  /// The flaky service is one Java file that any JDK runs.
  @Test
  void retriesAgainstTheFlakyServer() throws Exception {
    runsBeside("flaky-http", "examples/flaky-http/FlakyServer.java", "9090");
  }

  private void runsBeside(String example, String source, String ownPort) throws Exception {
    var java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
    var server = new ProcessBuilder(java, source, ownPort).redirectErrorStream(true).start();
    try (var output =
        new BufferedReader(
            new InputStreamReader(server.getInputStream(), StandardCharsets.UTF_8))) {
      assertThat(output.readLine()).contains("listening");
      Walkthrough.read(EXAMPLES.resolve(example + "/README.md"))
          .run(Path.of("."), "http://127.0.0.1:" + port);
    } finally {
      server.destroyForcibly();
    }
  }
}
