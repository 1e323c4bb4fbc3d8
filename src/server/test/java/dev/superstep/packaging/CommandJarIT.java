package dev.superstep.packaging;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.superstep.definition.Zips;
import dev.superstep.examples.ExampleExtension;
import dev.superstep.testing.kit.GraphTests;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The jar of the command line as people run it, which is a process without Spring Boot.
@Order(Integer.MAX_VALUE)
class CommandJarIT {
  private static final Path JAR =
      Path.of(Objects.requireNonNull(System.getProperty("superstep.cli"), "superstep.cli"))
          .toAbsolutePath();
  private static final String GRAPH =
      """
      name: g
      channels: { x: { schema: { type: integer, minimum: 1 } } }
      nodes: [{ id: a, type: expression, config: { update: { x: 1 } } }]
      edges: [{ from: __start__, to: a }]
      """;

  @TempDir private Path folder;

  @BeforeEach
  void writeGraph() throws IOException {
    file("g.yaml", GRAPH);
  }

  private void file(String name, String text) throws IOException {
    Files.writeString(folder.resolve(name), text);
  }

  /// @return what it says on both streams, line by line, and its exit code
  private List<String> run(String... arguments) throws Exception {
    return run(Map.of(), arguments);
  }

  private List<String> run(Map<String, String> environment, String... arguments) throws Exception {
    var java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
    var command =
        new ArrayList<>(
            List.of(java, "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-jar", JAR.toString()));
    command.addAll(List.of(arguments));
    var builder = new ProcessBuilder(command).directory(folder.toFile()).redirectErrorStream(true);
    builder.environment().putAll(environment);
    var process = builder.start();
    var lines = new ArrayList<>(process.inputReader().readAllLines());
    lines.add("exit " + process.waitFor());
    return lines;
  }

  /// Neither a library nor the JVM says a word beside.
  @Test
  void validates() throws Exception {
    assertThat(run("validate", "g.yaml")).containsExactly("g.yaml is valid", "exit 0");
  }

  /// What stands in the folder or the environment belongs to other programs.
  @Test
  void readsNoSettings() throws Exception {
    file("application.yaml", "superstep: [\n");
    var environment =
        Map.of(
            "SUPERSTEP_DEFINITIONS_NODES_MAX", "many",
            "SUPERSTEP_EXTENSIONS", "nowhere",
            "SPRING_PROFILES_ACTIVE", "prod");

    assertThat(run(environment, "validate", "g.yaml")).containsExactly("g.yaml is valid", "exit 0");
  }

  @Test
  void saysWhereADefinitionIsWrong() throws Exception {
    file("broken.yaml", "name: g\nnodes:\n  - { id: a\n  type: router }\n");
    assertThat(run("validate", "broken.yaml"))
        .hasSize(2)
        .contains("exit 2")
        .first()
        .asString()
        .startsWith("broken.yaml:4:");

    file("schema.yaml", GRAPH.replace("type: integer", "type: integr"));
    assertThat(run("validate", "schema.yaml"))
        .contains("exit 2")
        .first()
        .asString()
        .contains("/channels/x/schema/type invalid_schema", "integr");
  }

  @Test
  void readsBundles() throws Exception {
    var zip =
        Zips.of(
            Map.of(
                "graph.yaml",
                GRAPH.replace("x: 1", "x: \"{{ prompts.p }}\""),
                "prompts/p.md",
                "P"));
    Files.write(folder.resolve("g.zip"), zip);

    assertThat(run("validate", "g.zip")).containsExactly("g.zip is valid", "exit 0");
  }

  @Test
  void drawsAndImports() throws Exception {
    assertThat(run("diagram", "g.yaml"))
        .contains("exit 0")
        .first()
        .asString()
        .contains("flowchart");
    var drawing = Path.of("src/cli/test/resources/import-langgraph/supervisor.json");
    Files.copy(drawing, folder.resolve("d.json"));

    assertThat(run("import-langgraph", "d.json")).contains("exit 0", "nodes:");
  }

  @Test
  void saysWhatItIs() throws Exception {
    assertThat(run("--version")).containsExactly("Superstep 0.1.0-SNAPSHOT", "exit 0");
    assertThat(run()).contains("exit 2").anyMatch(it -> it.contains("Usage: superstep"));
  }

  @Test
  void runsTheTestsOfDefinitions() throws Exception {
    assertThatCode(() ->
            GraphTests.of(Path.of("examples/rag/graph.yaml"), Path.of("examples/react/graph.yaml"))
                .jar(JAR)
                .run())
        .doesNotThrowAnyException();
    var wrong = folder.resolve("wrong.yaml");
    Files.writeString(
        wrong,
        Files.readString(Path.of("examples/saga/graph.yaml"))
            .replace("code: trip_not_booked }", "code: other }"));
    assertThatThrownBy(() -> GraphTests.of(wrong).jar(JAR).run())
        .isInstanceOf(AssertionError.class)
        .hasMessageContaining("trip_not_booked");
    assertThat(run("test", "wrong.yaml", "--junit", "report.xml")).contains("exit 1");
    assertThat(folder.resolve("report.xml")).content().contains("<failure");
  }

  /// Spring makes their beans.
  @Test
  void knowsTheFunctionsOfExtensions() throws Exception {
    file(
        "greet.yaml",
        """
        name: g
        nodes: [{ id: a, type: function, config: { function: greet } }]
        edges: [{ from: __start__, to: a }]
        """);
    var extensions = ExampleExtension.build().toAbsolutePath().toString();

    assertThat(run("validate", "--extensions", extensions, "greet.yaml"))
        .containsExactly("greet.yaml is valid", "exit 0");
    assertThat(run("validate", "greet.yaml"))
        .contains("exit 2")
        .anyMatch(it -> it.contains("greet"));
  }

  @Test
  void bringsItsTermsAndNoSpringBoot() throws IOException {
    try (var jar = new ZipFile(JAR.toFile())) {
      assertThat(jar.stream().map(ZipEntry::getName))
          .contains("META-INF/LICENSE", "META-INF/NOTICE")
          .contains("org/springframework/context/ApplicationContext.class")
          .noneMatch(it -> it.startsWith("org/springframework/boot/"))
          .noneMatch(it -> it.startsWith("dev/superstep/store"))
          .noneMatch(it -> it.endsWith("application.yaml"));
    }
  }
}
