package dev.superstep.command;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import javax.xml.parsers.DocumentBuilderFactory;
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
  private final Console console = new Console();

  private String file(String name, String text) throws IOException {
    return Files.writeString(folder.resolve(name), text).toString();
  }

  @Test
  void endsWithSuccessWhenAllPassed() throws IOException {
    var exit = console.run("test", file("g.yaml", GRAPH));
    assertThat(exit).isZero();
    assertThat(console.out()).contains("passed good <&>").contains("1 test(s), 0 failed");
  }

  @Test
  void saysWhatFailedAndWritesTheReport() throws Exception {
    var report = folder.resolve("report.xml");
    var exit =
        console.run(
            "test",
            file("g.yaml", GRAPH + "  - { name: bad, expect: { path: [a, a] } }\n"),
            "--junit",
            report.toString());
    assertThat(exit).isEqualTo(1);
    assertThat(console.out())
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
        console.run("test", file("g.yaml", GRAPH.replace("to: a", "to: b")), file("h.yaml", GRAPH));
    assertThat(exit).isEqualTo(2);
    assertThat(console.err()).contains("/edges/0/to unknown_node");
    assertThat(console.out()).contains("h.yaml (g)");
  }

  @Test
  void namesFilesThatCannotBeRead() throws IOException {
    assertThat(console.run("test", folder.resolve("none.yaml").toString())).isEqualTo(2);
    assertThat(console.err()).contains("none.yaml cannot be read");
    assertThat(console.run("test", file("x.yaml", "name: ["))).isEqualTo(2);
    assertThat(console.err()).contains("x.yaml:1:8: error: malformed_yaml");
  }

  @Test
  void refusesAReportThatCannotBeWritten() throws IOException {
    var exit =
        console.run(
            "test", file("g.yaml", GRAPH), "--junit", folder.resolve("no/report.xml").toString());
    assertThat(exit).isEqualTo(2);
    assertThat(console.err()).contains("report.xml cannot be written");
  }
}
