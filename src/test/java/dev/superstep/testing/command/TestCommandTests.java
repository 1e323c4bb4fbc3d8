package dev.superstep.testing.command;

import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.testing.TestedDefinition;
import dev.superstep.testing.command.TestCommand.Exit;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TestCommandTests {
  private static final String GRAPH =
      """
      name: g
      nodes: [{ id: a, type: router }]
      edges: [{ from: __start__, to: a }]
      tests:
        - { name: "good <&>", expect: { path: [a] } }
      """;

  @TempDir private Path folder;
  private final ByteArrayOutputStream out = new ByteArrayOutputStream();
  private final ByteArrayOutputStream err = new ByteArrayOutputStream();
  private TestCommand command = new TestCommand(System.out, System.err);

  @BeforeEach
  void begin() {
    command =
        new TestCommand(
            new PrintStream(out, true, StandardCharsets.UTF_8),
            new PrintStream(err, true, StandardCharsets.UTF_8),
            () -> TestedDefinition.READER);
  }

  private String file(String name, String text) throws IOException {
    return Files.writeString(folder.resolve(name), text).toString();
  }

  @Test
  void endsWithSuccessWhenAllPassed() throws IOException {
    var exit = command.run(List.of(file("g.yaml", GRAPH)));
    assertThat(exit).isEqualTo(Exit.PASSED);
    assertThat(exit.code()).isZero();
    assertThat(out.toString(StandardCharsets.UTF_8))
        .contains("passed good <&>")
        .contains("1 test(s), 0 failed");
  }

  @Test
  void saysWhatFailedAndWritesTheReport() throws Exception {
    var report = folder.resolve("report.xml");
    var exit =
        command.run(
            List.of(
                file("g.yaml", GRAPH + "  - { name: bad, expect: { path: [a, a] } }\n"),
                "--junit",
                report.toString()));
    assertThat(exit).isEqualTo(Exit.FAILED);
    assertThat(out.toString(StandardCharsets.UTF_8))
        .contains("FAILED bad")
        .contains("/tests/1/expect/path/1: superstep 2 should run a; the run was over");
    var suites = DocumentBuilderFactory.newInstance().newDocumentBuilder().parse(report.toFile());
    var cases = suites.getElementsByTagName("testcase");
    assertThat(cases.item(0).getAttributes().getNamedItem("name").getNodeValue())
        .isEqualTo("good <&>");
    var suite = suites.getElementsByTagName("testsuite").item(0).getAttributes();
    assertThat(suite.getNamedItem("failures").getNodeValue()).isEqualTo("1");
    assertThat(suites.getElementsByTagName("failure").item(0).getTextContent())
        .contains("superstep 2 should run a");
  }

  @Test
  void namesTheMistakesOfADefinition() throws IOException {
    var exit =
        command.run(
            List.of(file("g.yaml", GRAPH.replace("to: a", "to: b")), file("h.yaml", GRAPH)));
    assertThat(exit).isEqualTo(Exit.UNUSABLE);
    assertThat(err.toString(StandardCharsets.UTF_8)).contains("/edges/0/to unknown_node");
    assertThat(out.toString(StandardCharsets.UTF_8)).contains("h.yaml (g)");
  }

  @Test
  void namesFilesThatCannotBeRead() throws IOException {
    assertThat(command.run(List.of(folder.resolve("none.yaml").toString())))
        .isEqualTo(Exit.UNUSABLE);
    assertThat(err.toString(StandardCharsets.UTF_8)).contains("none.yaml cannot be read");
    assertThat(command.run(List.of(file("x.yaml", "name: [")))).isEqualTo(Exit.UNUSABLE);
    assertThat(err.toString(StandardCharsets.UTF_8)).contains("no well-formed YAML");
  }

  @Test
  void explainsItself() {
    for (var wrong :
        List.of(List.<String>of(), List.of("--verbose"), List.of("a.yaml", "--junit"))) {
      assertThat(command.run(wrong)).isEqualTo(Exit.UNUSABLE);
      assertThat(err.toString(StandardCharsets.UTF_8)).contains("usage: test");
    }
  }
}
