package dev.superstep.testing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.superstep.graph.Violation;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TestCaseReaderTests {
  private static final String GRAPH =
      """
      name: g
      nodes:
        - { id: plan, type: llm, config: { prompt: x, output_to: plan } }
        - { id: review, type: human, config: { payload: {} } }
        - { id: act, type: router }
      edges:
        - { from: __start__, to: plan }
        - { from: plan, to: review }
        - { from: review, to: act }
      """;

  @Test
  void leavesTestsOutOfTheDefinitionThatIsStored() {
    var tested =
        TestedDefinition.read(
            GRAPH + "tests: [{ name: a, mocks: { plan: x }, answers: { review: y } }]");
    assertThat(tested.errors()).isEmpty();
    assertThat(tested.tests()).hasSize(1);
    assertThat(tested.definition()).isEqualTo(TestedDefinition.read(GRAPH).definition());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          mocks: { plam: x }                      | /mocks/plam            | unknown_node    | did you mean 'plan'?
          answers: { reviw: x }                   | /answers/reviw         | unknown_node    | did you mean 'review'?
          expect: { path: [plan, atc] }           | /expect/path/1         | unknown_node    | did you mean 'act'?
          expect: { path: [plan, [act, pln]] }    | /expect/path/1/1       | unknown_node    | did you mean 'plan'?
          expect: { path: [[act, act*2]] }        | /expect/path/0         | duplicate       | names a node twice
          expect: { path: [act**] }               | /expect/path/0         | invalid_value   | must be a node id
          expect: { path: [3] }                   | /expect/path/0         | invalid_value   | must be a node id
          expect: { calls: { acct: 1 } }          | /expect/calls/acct     | unknown_node    | did you mean 'act'?
          expect: { calls: { act: -1 } }          | /expect/calls/act      | out_of_range    | at least 0
          expect: { output: output.x == }         | /expect/output         | invalid_expression | ends too early
          expect: { output: [true, 1 + 'a'] }     | /expect/output/0       | wrong_type      | condition
          expect: { state: 3 }                    | /expect/state          | wrong_type      | condition
          expect: { output: nothing.x == 1 }      | /expect/output         | invalid_expression | nothing
          expect: { error: { message: x } }       | /expect/error/code     | missing_field   | needs 'code'
          expect: { error: { code: a }, status: succeeded } | /expect/status | not_applicable | failed
          expect: { staus: failed }               | /expect/staus          | unknown_field   | did you mean 'status'?
          mocks: { review: yes }                  | /mocks/review          | not_applicable  | say in answers what
          mocks: { plan: 'a {{ b' }               | /mocks/plan            | invalid_expression | -
          mocks: { plan: [a, { x: '{{ 1 + }}' }] } | /mocks/plan/1/x       | invalid_expression | -
          mocks: { plan: { error: { codes: x } } } | /mocks/plan/error/codes | unknown_field | did you mean 'code'?
          mocks: { plan: [{ error: { code: A B } }] } | /mocks/plan/0/error/code | invalid_value | error code
          mock: { plan: a }                       | /mock                  | unknown_field   | did you mean 'mocks'?
          """)
  void refusesWhatIsWrong(String member, String pointer, String code, String message) {
    var errors = TestedDefinition.read(GRAPH + "tests: [{ name: a, " + member + " }]").errors();
    assertThat(errors)
        .filteredOn(it -> it.pointer().equals("/tests/0" + pointer))
        .extracting(Violation::code)
        .containsExactly(code);
    if (!message.equals("-")) {
      assertThat(errors.getFirst().message()).contains(message);
    }
  }

  @Test
  void namesTestsOnce() {
    assertThat(TestedDefinition.read(GRAPH + "tests: [{ name: a }, { name: a }, {}]").errors())
        .extracting(Violation::pointer)
        .containsExactlyInAnyOrder("/tests/1/name", "/tests/2/name");
  }

  @Test
  void boundsTheNumberOfTests() {
    var tests = new StringBuilder("tests:\n");
    for (int i = 0; i <= 100; i++) {
      tests.append("  - { name: t").append(i).append(" }\n");
    }
    assertThat(TestedDefinition.read(GRAPH + tests).errors())
        .extracting(Violation::pointer, Violation::code)
        .containsExactly(tuple("/tests", "too_many"));
  }

  @Test
  void showsTheLineOfAnExpression() {
    var error =
        TestedDefinition.read(GRAPH + "tests:\n  - name: a\n    expect: { state: state.x = }\n")
            .errors()
            .getFirst();
    assertThat(error.line()).isEqualTo(12);
  }
}
