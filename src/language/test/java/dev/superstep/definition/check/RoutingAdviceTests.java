package dev.superstep.definition.check;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.superstep.definition.TestNodeTypes;
import dev.superstep.graph.Violation;
import dev.superstep.json.Yaml;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RoutingAdviceTests {
  private static final String EDGES =
      """
      nodes: [{id: a, type: router%s}, {id: b, type: router}, {id: c, type: router}]
      edges: [{from: a, to: b, condition: 'true'}, {from: a, to: c}]
      """;

  @Test
  void warnsOfAPlainEdgeThatLooksLikeAnElse() {
    var warnings = warnings(EDGES.formatted(""));
    assertThat(warnings).extracting(Violation::code).containsExactly("both_taken");
    assertThat(warnings.getFirst().pointer()).isEqualTo("/edges/1");
    assertThat(warnings.getFirst().message()).contains("/edges/0", "edge_mode: first");
  }

  @ParameterizedTest
  @ValueSource(strings = {", edge_mode: all", ", edge_mode: first"})
  void leavesBothEdgesToAnAuthorWhoSaysSo(String mode) {
    assertThat(warnings(EDGES.formatted(mode))).isEmpty();
  }

  @Test
  void warnsOfAFailureWithoutCodesBesideOthers() {
    var node = "{id: a, type: expression, on_failure: [{to: a, error_codes: x}, {to: __end__}]}";
    assertThat(warnings("nodes: [" + node + "]"))
        .extracting(Violation::code, Violation::pointer)
        .containsExactly(tuple("both_taken", "/nodes/0/on_failure/1"));
  }

  @Test
  void warnsOfACycleThatNothingEnds() {
    var warnings =
        warnings(
            """
            nodes:
              - {id: a, type: router, next: b}
              - {id: b, type: router, next: [c, d]}
              - {id: c, type: router, next: b}
              - {id: d, type: router}
            """);
    assertThat(warnings).extracting(Violation::code).containsExactly("endless_cycle");
    assertThat(warnings.getFirst().pointer()).isEqualTo("/nodes/1");
    assertThat(warnings.getFirst().message()).contains("b → c → b");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{id: b, type: router, switch: [{when: state.x, to: a}]}",
        "{id: b, type: http, next: a, on_failure: {to: __end__}}",
        "{id: b, type: human, next: a}",
        "{id: b, type: expression, config: {goto: '{{ state.x }}'}, targets: [a, __end__], next:"
            + " a}",
        "{id: b, type: router, next: __end__}"
      })
  void findsAWayOutOfACycle(String last) {
    assertThat(warnings("nodes: [{id: a, type: router, next: b}, " + last + "]"))
        .extracting(Violation::code)
        .doesNotContain("endless_cycle");
  }

  @Test
  void findsEachEndlessCycle() {
    var loops = new StringBuilder("nodes:\n");
    for (int i = 0; i < 30; i++) {
      loops.append("  - {id: n%d, type: router, next: n%d}%n".formatted(i, i));
    }
    assertThat(warnings(loops.toString()))
        .filteredOn(it -> it.code().equals("endless_cycle"))
        .hasSize(20);
  }

  private static final String JOIN =
      """
      nodes:
        - %s
        - {id: b, type: expression}
        - {id: c, type: expression}
        - {id: d, type: router}
      edges: [{from: [b, c], to: d%s}]
      """;

  private static final String CHOICE =
      "{id: a, type: router, switch: [{when: state.x, to: b}, {else: c}]}";

  @Test
  void warnsOfAJoinThatWaitsForBranchesOfOneSwitch() {
    var warnings = warnings(JOIN.formatted(CHOICE, ""));
    assertThat(warnings).extracting(Violation::code).containsExactly("exclusive_branches");
    assertThat(warnings.getFirst().pointer()).isEqualTo("/edges/0");
    assertThat(warnings.getFirst().message()).contains("'b'", "'c'", "'a'");
  }

  @Test
  void warnsOfAJoinThatWaitsForSuccessAndFailure() {
    var node = "{id: a, type: expression, next: b, on_failure: {to: c}}";
    assertThat(warnings(JOIN.formatted(node, "")))
        .extracting(Violation::code)
        .containsExactly("exclusive_branches");
  }

  @Test
  void leavesJoinsThatCanFire() {
    var parallel = "{id: a, type: router, next: [b, c]}";
    assertThat(warnings(JOIN.formatted(parallel, ""))).isEmpty();
    assertThat(warnings(JOIN.formatted(CHOICE, ", join: activated"))).isEmpty();
    assertThat(warnings(JOIN.formatted(CHOICE, ", join: any"))).isEmpty();
  }

  /// The branches of a switch may follow each other in a loop.
  @Test
  void leavesJoinsBehindASwitchThatRunsAgain() {
    var loop =
        JOIN.formatted(CHOICE, "")
            .replace(
                "to: d}]",
                "to: d}, {from: __start__, to: a}, {from: b, to: a, condition: state.x}]");
    assertThat(warnings(loop)).isEmpty();
  }

  @Test
  void leavesJoinsBehindNodesThatBothBranchesReach() {
    var crossed =
        "{id: a, type: router, switch: [{when: state.x, to: [b, c]}, {when: state.y, to: c}, {else:"
            + " b}]}";
    assertThat(warnings(JOIN.formatted(crossed, ""))).isEmpty();
  }

  private static final String GOES_ON = "{id: a, type: router, next: [b, c]}";

  private static String joined(String b, String more) {
    return JOIN.formatted(GOES_ON, "")
        .replace("{id: b, type: expression}", "{id: b, type: expression" + b + "}" + more);
  }

  @Test
  void warnsOfAJoinThatAFailureWouldStall() {
    var warnings = warnings(joined(", on_error: continue", ""));
    assertThat(warnings).extracting(Violation::code).containsExactly("stalling_join");
    assertThat(warnings.getFirst().pointer()).isEqualTo("/nodes/1/on_error");
    assertThat(warnings.getFirst().message()).contains("'b'", "optional: true", "stalled_join");
  }

  @Test
  void showsADefaultThatWouldStallAJoin() {
    assertThat(warnings("defaults: {expression: {on_error: continue}}\n" + joined("", "")))
        .extracting(Violation::code, Violation::pointer)
        .contains(tuple("stalling_join", "/defaults/expression/on_error"));
  }

  /// Nothing runs behind the failed node, so that its follower never arrives.
  @ParameterizedTest
  @ValueSource(strings = {"on_error: continue", "optional: true"})
  void warnsOfAJoinThatWaitsForWhatRunsBehindAFailure(String goesOn) {
    var warnings =
        warnings(
            """
            nodes:
              - {id: a, type: router, next: [b, c]}
              - {id: b, type: expression, %s, next: e}
              - {id: c, type: expression}
              - {id: e, type: expression}
              - {id: d, type: router}
            edges: [{from: [c, e], to: d}]
            """
                .formatted(goesOn));
    assertThat(warnings).extracting(Violation::code).containsExactly("stalling_join");
    assertThat(warnings.getFirst().message()).contains("'b'", "'e'", "join: activated");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        ", optional: true",
        ", optional: true, on_error: continue",
        ", optional: false, on_error: continue",
        ", on_error: continue, on_failure: {to: d}",
        ", on_error: fail",
      })
  void leavesJoinsThatNoFailureStalls(String policy) {
    assertThat(warnings(joined(policy, ""))).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {", join: any", ", join: activated"})
  void leavesJoinsThatDoNotWaitForAll(String join) {
    assertThat(
            warnings(joined(", on_error: continue", "").replace("to: d}]", "to: d" + join + "}]")))
        .isEmpty();
  }

  @Test
  void warnsOfASwitchWithoutElse() {
    var warnings =
        warnings(
            "nodes: [{id: a, type: router, switch: [{when: state.x, to: b}]}, {id: b, type:"
                + " router}]");
    assertThat(warnings).extracting(Violation::code).containsExactly("missing_else");
    assertThat(warnings.getFirst().pointer()).isEqualTo("/nodes/0/switch");
    assertThat(warnings.getFirst().message()).contains("else", "on_no_match: fail");
  }

  @Test
  void warnsOfTheLongFormOfASwitchWithoutElse() {
    assertThat(
            warnings(
                EDGES
                    .formatted(", edge_mode: first")
                    .replace("to: c}", "to: c, condition: state.x}")))
        .extracting(Violation::code, Violation::pointer)
        .containsExactly(tuple("missing_else", "/nodes/0/edge_mode"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "switch: [{when: state.x, to: b}, {else: __end__}]",
        "switch: [{when: state.x, to: b}], on_no_match: end",
        "switch: [{when: state.x, to: b}], on_no_match: fail",
        "next: b",
      })
  void leavesASwitchThatSaysWhatIsMeant(String next) {
    assertThat(warnings("nodes: [{id: a, type: router, " + next + "}, {id: b, type: router}]"))
        .isEmpty();
  }

  /// With all edges taken whose conditions hold, none is an ordinary end of a branch.
  @Test
  void leavesEdgesWithConditionsThatChooseNothing() {
    assertThat(
            warnings(
                "nodes: [{id: a, type: router}]\nedges: [{from: a, to: a, condition: state.x}]"))
        .isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"switch: [{when: state.x, to: b}, {else: __end__}], ", "next: b, ", ""})
  void warnsOfAnOnNoMatchThatNothingTurnsOn(String next) {
    assertThat(
            warnings(
                "nodes: [{id: a, type: router, %son_no_match: fail}, {id: b, type: router}]\nedges: [{from: __start__, to: [a, b]}]"
                    .formatted(next)))
        .extracting(Violation::code, Violation::pointer)
        .containsExactly(tuple("no_effect", "/nodes/0/on_no_match"));
  }

  @Test
  void refusesAnOptionalNodeWhoseFailureHoldsTheRun() {
    var graph = "nodes: [{id: a, type: expression, optional: true, on_error: fail}]";
    assertThat(TestNodeTypes.READER.read(Yaml.read("name: g\n" + graph)).errors())
        .extracting(Violation::code, Violation::pointer)
        .containsExactly(tuple("not_applicable", "/nodes/0/optional"));
  }

  private static List<Violation> warnings(String graph) {
    var readResult = TestNodeTypes.READER.read(Yaml.read("name: g\n" + graph));
    assertThat(readResult.errors()).isEmpty();
    return readResult.warnings();
  }
}
