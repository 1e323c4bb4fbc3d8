package dev.superstep.command;

import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.definition.Zips;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SuperstepCommandTests {
  private static final String GRAPH =
      "name: g\nnodes: [{ id: a, type: expression, config: { update: { x: 1 } } }]\n";

  @TempDir private Path folder;
  private final Console console = new Console();

  private String file(String name, String text) throws IOException {
    return Files.writeString(folder.resolve(name), text).toString();
  }

  @Test
  void explainsItself() {
    assertThat(console.run("--help")).isZero();
    assertThat(console.out())
        .contains("validate", "test", "diagram", "import-langgraph", "Exit codes")
        .doesNotContain("resume");
    assertThat(console.run("--version")).isZero();
    assertThat(console.out()).contains("Superstep");
  }

  @ParameterizedTest
  @ValueSource(strings = {"validate", "test", "diagram", "import-langgraph"})
  void saysWhatIsMissing(String command) {
    assertThat(console.run(command)).isEqualTo(2);
    assertThat(console.err()).contains("Missing required parameter", "Usage: superstep " + command);
    assertThat(console.run(command, "--nonsense")).isEqualTo(2);
  }

  /// One that no array holds, which takes no room on the disk.
  @Test
  void refusesAFileThatIsTooLarge() throws IOException {
    var huge = folder.resolve("huge.yaml");
    try (var file = new RandomAccessFile(huge.toFile(), "rw")) {
      file.setLength(3L << 30);
    }
    assertThat(console.run("validate", huge.toString())).isEqualTo(2);
    assertThat(console.err()).contains("huge.yaml", "more than");
  }

  @Test
  void namesTheCommandThatWasMeant() {
    assertThat(console.run("valdate", "g.yaml")).isEqualTo(2);
    assertThat(console.err()).contains("validate");
  }

  @Test
  void validates() throws IOException {
    assertThat(console.run("validate", file("g.yaml", GRAPH))).isZero();
    assertThat(console.out()).contains("g.yaml is valid");
    assertThat(console.run("validate", file("g.yaml", GRAPH), file("h.yaml", "name: h\nnods: []")))
        .isEqualTo(2);
    assertThat(console.err()).contains("h.yaml:2:1: error: /nods unknown_field", "'nodes'");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          g.yaml | 'name: g\\nnodes:\\n  - { id: a\\n  type: router }\\n'  | g.yaml:4:
          g.json | '{\\n  "name": "g",\\n  nodes: []\\n}'                     | g.json:3:
          """)
  void saysInWhichLineATextIsMalformed(String name, String text, String place) throws IOException {
    assertThat(console.run("validate", file(name, text.translateEscapes()))).isEqualTo(2);
    assertThat(console.err()).containsPattern(place + "\\d+: error: .*malformed_").hasLineCount(1);
  }

  @ParameterizedTest
  @ValueSource(strings = {"validate", "test", "diagram"})
  void saysWhichExtensionsCannotBeUsed(String command) throws IOException {
    var graph = file("g.yaml", GRAPH);
    var nowhere = folder.resolve("nowhere").toString();
    assertThat(console.run(command, "--extensions", nowhere, graph)).isEqualTo(2);
    assertThat(console.err())
        .contains("the extensions in " + nowhere + " cannot be used: It is not a folder");
  }

  /// Which models a server has is not known here.
  @Test
  void takesModelsOfAnyName() throws IOException {
    var graph =
        file(
            "llm.yaml",
            "name: g\n"
                + "nodes: [{ id: a, type: llm, config: { model: mine, prompt: Hi, messages: '' }"
                + " }]\n");
    assertThat(console.run("validate", "--strict", graph)).as(console.err()).isZero();
    assertThat(console.err()).isEmpty();
  }

  @Test
  void takesWarningsForErrorsIfAsked() throws IOException {
    var graph = file("g.yaml", GRAPH.replace("x: 1", "x: \"{{ state.y }}\""));
    assertThat(console.run("validate", graph)).isZero();
    assertThat(console.err()).contains("warning: /nodes/0/config/update/x unknown_channel");
    assertThat(console.run("validate", "--strict", graph)).isEqualTo(2);
  }

  @Test
  void readsBundles() throws IOException {
    var zip =
        Zips.of(
            Map.of(
                "graph.yaml",
                GRAPH.replace("x: 1", "x: \"{{ prompts.p }}\""),
                "prompts/p.md",
                "P"));
    var file = Files.write(folder.resolve("g.zip"), zip).toString();
    assertThat(console.run("validate", file)).as(console.err()).isZero();
  }

  @Test
  void draws() throws IOException {
    assertThat(console.run("diagram", file("g.yaml", GRAPH))).isZero();
    assertThat(console.out()).startsWith("flowchart");
    assertThat(console.run("diagram", file("g.yaml", GRAPH), "--format", "mermaid")).isZero();
  }

  @ParameterizedTest
  @ValueSource(strings = {"dot", "svg"})
  void refusesPicturesInOtherLanguages(String format) throws IOException {
    assertThat(console.run("diagram", file("g.yaml", GRAPH), "--format", format)).isEqualTo(2);
    assertThat(console.err()).contains("MERMAID").doesNotContain("DOT");
  }

  /// Commands of earlier releases.
  @ParameterizedTest
  @ValueSource(strings = {"run", "resume"})
  void knowsNoCommandThatNeedsAServer(String command) {
    assertThat(console.run(command, "g")).isEqualTo(2);
    assertThat(console.err()).contains("Unmatched argument", "'" + command + "'");
  }
}
