package dev.superstep.definition.read;

import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.definition.TestNodeTypes;
import dev.superstep.json.Yaml;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class DiagramsTests {
  private static final String GRAPH =
      """
      name: drawn
      nodes:
        - {id: plan, type: expression, name: 'Say "hi" #1'}
        - {id: ask, type: human}
        - {id: done, type: router}
      edges:
        - {from: __start__, to: plan}
        - {from: plan, to: ask, condition: 'state.n < 3 && state.s == "x"'}
        - {from: plan, route: state.next, targets: [done]}
        - {from: [plan, ask], to: done, join: any}
        - {from: plan, to: ask, type: error, error_codes: [http_503]}
      """;

  @Test
  void drawsAMermaidFlowchart() {
    assertThat(draw(Map.of()))
        .isEqualTo(
            """
            flowchart TD
              n0(["__start__"])
              n1["Say #34;hi#34; #35;1"]
              n2[/"ask"/]
              n3{"done"}
              n4(["__end__"])
              n5(("any"))
              n0 --> n1
              n1 -->|"state.n #60; 3 #38;#38; state.s == #34;x#34;"| n2
              n1 -.-> n3
              n1 --> n5
              n2 --> n5
              n5 --> n3
              n1 -.->|"error http_503"| n2
              n3 --> n4
            """);
  }

  @Test
  void marksTheNodesOfARun() {
    var marks = Map.of("plan", Mark.DONE, "ask", Mark.INTERRUPTED);
    assertThat(draw(marks))
        .contains(
            "  classDef interrupted fill:#fff1c9,",
            "  class n1 done\n",
            "  class n2 interrupted\n");
  }

  @Test
  void showsASwitchAsItWasWritten() {
    var graph =
        """
        name: drawn
        nodes:
          - id: a
            type: router
            switch: [{when: state.x, to: b}, {when: state.y, to: __end__}, {else: a}]
          - {id: b, type: router}
        """;
    var definition = TestNodeTypes.READER.read(Yaml.read(graph)).definition();
    assertThat(Diagrams.render(definition, Map.of()))
        .contains("n1 -->|\"state.x\"| n2\n", "n1 -->|\"state.y\"| n3\n", "n1 -->|\"else\"| n1\n");
  }

  /// E24: a branch ends where no condition holds, which is how loops and approvals come to an end.
  @Test
  void showsTheWayToTheEndOfConditionsWithoutElse() {
    var graph =
        """
        name: drawn
        nodes:
          - {id: again, type: router}
          - {id: sure, type: router}
          - {id: routed, type: router}
        edges:
          - {from: __start__, to: again}
          - {from: again, to: again, condition: state.n < 3}
          - {from: again, to: sure, condition: state.n > 5, name: Enough}
          - {from: sure, to: again, condition: state.n < 3}
          - {from: sure, to: routed}
          - {from: routed, route: state.next, targets: [sure]}
        """;
    var definition = TestNodeTypes.READER.read(Yaml.read(graph)).definition();
    var mermaid = Diagrams.render(definition, Map.of());
    assertThat(mermaid)
        .contains("n1 -->|\"else\"| n4\n", "n1 -->|\"Enough: state.n #62; 5\"| n2\n");
    assertThat(mermaid.lines().filter(it -> it.endsWith(" n4"))).hasSize(1);
  }

  @Test
  void showsNoWayToTheEndWhereANodeFailsWithoutAMatch() {
    var graph =
        """
        name: drawn
        nodes:
          - {id: a, type: router, on_no_match: %s, switch: [{when: state.x, to: b}]}
          - {id: b, type: router}
        """;
    assertThat(arrowsToTheEnd(graph.formatted("fail"))).containsExactly("  n2 --> n3");
    assertThat(arrowsToTheEnd(graph.formatted("end")))
        .containsExactly("  n1 -->|\"else\"| n3", "  n2 --> n3");
  }

  private static Stream<String> arrowsToTheEnd(String graph) {
    var definition = TestNodeTypes.READER.read(Yaml.read(graph)).definition();
    return Diagrams.render(definition, Map.of()).lines().filter(it -> it.endsWith(" n3"));
  }

  /// P9, P10: what nodes take of the prompt context, and what edges pass on.
  @Test
  void showsWhatBecomesOfThePromptContext() {
    var graph =
        """
        name: drawn
        nodes:
          - {id: plan, type: llm}
          - id: act
            type: router
            context_type: filter_out
            context_filter: {rules: [{type: exclude, pattern: tool.*}]}
            required_context: [user.*]
          - {id: done, type: router}
        edges:
          - {from: __start__, to: plan, context_filter: {type: pass_none}}
          - id: on
            from: plan
            to: act
            condition: state.ok
            on_incompatible: skip
            context_filter: {type: selective, include_patterns: [a.*], exclude_patterns: [a.b]}
          - from: act
            to: done
            context_filter: {type: conditional, condition: "context.priority === 'high'"}
        """;
    var definition = TestNodeTypes.READER.read(Yaml.read(graph)).definition();
    var mermaid = Diagrams.render(definition, Map.of());
    assertThat(mermaid)
        .contains(
            "n1[\"plan [llm_context]\"]",
            "n2{\"act [filter_out -tool.* needs user.*]\"}",
            "n3{\"done\"}",
            "-->|\"[pass_none]\"|",
            "-->|\"state.ok [selective +a.* -a.b or skip]\"|",
            "-->|\"[conditional if context.priority === 'high']\"|");
  }

  private static String draw(Map<String, Mark> marks) {
    var definition = TestNodeTypes.READER.read(Yaml.read(GRAPH)).definition();
    return Diagrams.render(definition, marks);
  }
}
