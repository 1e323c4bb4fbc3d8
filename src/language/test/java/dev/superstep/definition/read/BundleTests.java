package dev.superstep.definition.read;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.superstep.definition.DefinitionLimits;
import dev.superstep.definition.Zips;
import dev.superstep.graph.Violation;
import dev.superstep.json.Yaml;
import dev.superstep.problem.ServiceException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.util.unit.DataSize;

class BundleTests {
  private static final DefinitionLimits LIMITS =
      new DefinitionLimits(100_000, 10, 10, 10, 100, 10, 10, DataSize.ofMegabytes(1));
  private static final String GRAPH = "name: g # a graph\nnodes: [{ id: a, type: router }]\n";

  @Test
  void isOneDefinition() {
    var bundle =
        bundle(
            Map.of(
                "graph.yaml", GRAPH,
                "prompts/plan.md", "\uFEFFPlan\r\nwell",
                "prompts/", "",
                "graphs/each.yaml", "nodes:\n  - { id: b, type: router }\n"));
    assertThat(bundle.parsed().problems()).isEmpty();
    assertThat(bundle.parsed().value())
        .isEqualTo(
            Yaml.read(
                GRAPH
                    + "prompts: { plan: \"Plan\\nwell\" }\n"
                    + "graphs: { each: { nodes: [{ id: b, type: router }] } }"));
  }

  @Test
  void isGivenBackWithTheAuthorsComments() {
    var bundle =
        bundle(
            Map.of(
                "graph.yaml", GRAPH,
                "prompts/b.md", "  indented\n\n- {{ state.x }}",
                "graphs/each.yaml", "# of one item\nnodes:\n  - { id: b, type: router }\n"));
    var text = bundle.source().text();
    assertThat(text).contains("# a graph", "# of one item", "\n    - {{ state.x }}");
    assertThat(Yaml.read(text)).isEqualTo(bundle.parsed().value());
  }

  /// Texts that cannot stand behind the graph's as they are.
  @ParameterizedTest
  @ValueSource(
      strings = {
        "{name: g, nodes: []}",
        "name: g\nprompts: { other: text }\nnodes: []\n",
        "name: g\nnodes: []\n...\n"
      })
  void isGivenBackWithTheSameMeaning(String graph) {
    var bundle =
        bundle(Map.of("graph.yaml", graph, "prompts/b.md", "tab\there \n\n\n", "prompts/c.md", ""));
    assertThat(Yaml.read(bundle.source().text())).isEqualTo(bundle.parsed().value());
  }

  @Test
  void placesProblemsInTheirFiles() {
    var bundle =
        bundle(
            Map.of(
                "graph.yaml", "name: g\nmetadata:\n  a: \"x\"\n",
                "prompts/plan.md", "Plan",
                "graphs/each.yaml", "\n\n  nodes: text\n"));
    var placed =
        bundle.placed(
            List.of(
                new Violation("/metadata/a", "c", "one", 1, 1),
                new Violation("/prompts/plan", "c", "two", 1, 3),
                new Violation("/graphs/each/nodes", "c", "three", 1, 2),
                Violation.of("/graphs", "c", "four")));
    assertThat(placed)
        .extracting(it -> it.pointer() + " " + it.line() + ":" + it.column() + " " + it.message())
        .containsExactly(
            "/metadata/a 3:7 graph.yaml: one",
            "/prompts/plan 1:3 prompts/plan.md: two",
            "/graphs/each/nodes 3:11 graphs/each.yaml: three",
            "/graphs 1:1 graph.yaml: four");
  }

  @Test
  void reportsWhatStandsTwice() {
    var graph = GRAPH + "prompts: { plan: here }\n";
    assertThat(bundle(Map.of("graph.yaml", graph, "prompts/plan.md", "x")).parsed().problems())
        .singleElement()
        .satisfies(it -> {
          assertThat(it.pointer()).isEqualTo("/prompts/plan");
          assertThat(it.message()).startsWith("prompts/plan.md: ");
        });
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "README.md",
        "../graph.yaml",
        "prompts/../x.md",
        "prompts/a/b.md",
        "my/graph.yaml",
        "/graph.yaml",
        "graphs/x.json",
        "graph.json"
      })
  void refusesOtherFilesByName(String file) {
    assertThatThrownBy(() -> bundle(Map.of("graph.yaml", GRAPH, file, "{}")))
        .isInstanceOf(ServiceException.class)
        .hasMessageContaining(file.equals("graph.json") ? "graph.yaml" : file);
  }

  @Test
  void namesTheFileThatCannotBeRead() {
    assertThatThrownBy(() -> bundle(Map.of("graph.yaml", GRAPH, "graphs/x.yaml", "a: [")))
        .hasMessageStartingWith("graphs/x.yaml: ");
    assertThatThrownBy(() -> bundle(Map.of("graph.yaml", GRAPH, "prompts/x.md", "\0")))
        .hasMessageStartingWith("prompts/x.md ");
    assertThatThrownBy(() -> bundle(Map.of("prompts/x.md", "text")))
        .hasMessageContaining("graph.yaml is missing");
  }

  @Test
  void isBoundedBeforeItIsRead() {
    var many = new HashMap<String, String>(Map.of("graph.yaml", GRAPH));
    for (int i = 0; i < 500; i++) {
      many.put("prompts/p" + i + ".md", "");
    }
    assertThatThrownBy(() -> bundle(many)).hasMessageContaining("more than 500 files");
    var large =
        Map.of(
            "graph.yaml",
            GRAPH,
            "prompts/a.md",
            "x".repeat(60_000),
            "prompts/b.md",
            "x".repeat(60_000));
    assertThatThrownBy(() -> bundle(large)).hasMessageContaining("bytes-max allows 100000");
  }

  /// However a zip is damaged, the answer says so.
  @Test
  void refusesWhatIsNoZip() {
    var zip = Zips.of(Map.of("graph.yaml", GRAPH));
    for (int length = 0; length < zip.length - 78; length++) {
      var cut = Arrays.copyOf(zip, length);
      assertThatThrownBy(() -> new Bundle(cut, LIMITS)).isInstanceOf(ServiceException.class);
    }
    var twice =
        new String(
                Zips.of(new TreeMap<>(Map.of("prompts/a.md", "", "prompts/b.md", ""))),
                StandardCharsets.ISO_8859_1)
            .replace("prompts/b.md", "prompts/a.md")
            .getBytes(StandardCharsets.ISO_8859_1);
    assertThatThrownBy(() -> new Bundle(twice, LIMITS))
        .hasMessageContaining("two files 'prompts/a.md'");
  }

  private static Bundle bundle(Map<String, String> files) {
    return new Bundle(Zips.of(new TreeMap<>(files)), LIMITS);
  }
}
