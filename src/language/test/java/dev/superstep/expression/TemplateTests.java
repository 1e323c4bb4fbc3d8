package dev.superstep.expression;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import dev.superstep.graph.ExpressionException;
import dev.superstep.graph.Scope;
import dev.superstep.json.Json;
import dev.superstep.state.value.ListValue;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.state.value.Value;
import java.util.Collections;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TemplateTests {
  private static final Expressions EXPRESSIONS = new Expressions();
  private static final ObjectValue VARIABLES =
      (ObjectValue)
          Json.read(
              """
              {"state": {"n": 1, "r": 1.0, "t": "x", "z": null, "l": [1, "a"], "o": {"k": null},
                         "b": true}}
              """);
  private static final Scope SCOPE = name -> VARIABLES.getOr(name, Value.NULL);

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '~',
      value = {
        "{{ state.n }} | 1",
        "{{state.l}} | [1,\"a\"]",
        "{{ state.z }} | null",
        "{{ state.n }}! | \"1!\"",
        "n={{ state.n }} r={{ state.r }} t={{ state.t }} | \"n=1 r=1.0 t=x\"",
        "[{{ state.z }}] | \"[]\"",
        "{{ state.l }}{{ state.o }}{{ state.b }} | \"[1,\\\"a\\\"]{\\\"k\\\":null}true\"",
        "{{ '{{' }} | \"{{\"",
        "{{ '}}' }} | \"}}\"",
        "a {{ '{{' }} b }} c | \"a {{ b }} c\"",
        "{{ {'a': {'b': 1}} }} | {\"a\":{\"b\":1}}",
        "{{{'a': {'b': 1}}}} | {\"a\":{\"b\":1}}",
        "{{ ['}}', \"}}\", r'}}', '''}}'''].size() }} | 4",
        "{{ 'it\\'s }}' }} | \"it's }}\"",
        "{{ state.n // it's }} | 1",
        "plain | \"plain\"",
        "single { brace } | \"single { brace }\"",
        "{{ state.?missing.orValue('d') }} | \"d\"",
        "{{ state.t === 'x' }} | true",
        "{{ context.priority }} | null",
      })
  void rendersStrings(String template, String expected) {
    var compiled = EXPRESSIONS.compileTemplate(Value.of(template));
    assertThat(Json.write(compiled.render(SCOPE))).isEqualTo(expected);
  }

  @Test
  void keepsEverythingAroundTheSegments() {
    var template =
        Json.read(
            "{\"a\": [\"{{ state.n }}\", 2, null, {\"{{ k }}\": \"n={{ state.n }}\"}], \"b\":"
                + " 1.0}");
    assertThat(EXPRESSIONS.compileTemplate(template).render(SCOPE))
        .isEqualTo(Json.read("{\"a\": [1, 2, null, {\"{{ k }}\": \"n=1\"}], \"b\": 1.0}"));
  }

  @Test
  void rendersASingleSegmentAsTextWhenAskedTo() {
    assertThat(EXPRESSIONS.compileTemplate(Value.of("{{ state.l }}")).renderText(SCOPE))
        .isEqualTo("[1,\"a\"]");
    assertThat(EXPRESSIONS.compileTemplate(Value.of("{{ state.z }}")).renderText(SCOPE)).isEmpty();
  }

  @Test
  void failsOnAMissingKeyAndSaysWhere() {
    var template = EXPRESSIONS.compileTemplate(Json.read("{\"a\": [\"{{ state.nope }}\"]}"));
    assertThatThrownBy(() -> template.render(SCOPE))
        .isInstanceOfSatisfying(
            ExpressionException.class,
            e -> {
              assertThat(e.code()).isEqualTo("expression_failed");
              assertThat(e)
                  .hasMessageStartingWith("/a/0: ")
                  .hasMessageContaining("nope")
                  .hasMessageContaining("has(x.y)");
            });
  }

  @Test
  void namesEveryProblemWithPointerLineAndColumn() {
    var template =
        Json.read(
            "{\"a\": [\"x {{ nope }}\"], \"b\": \"l1\\n"
                + "  {{ 1 + }}\", \"c\": \"{{ open\", \"d/e\": \"{{ }}\"}");
    assertThatThrownBy(() -> EXPRESSIONS.compileTemplate(template))
        .isInstanceOfSatisfying(
            InvalidExpressionException.class,
            e ->
                assertThat(e.problems())
                    .extracting(
                        ExpressionProblem::pointer,
                        ExpressionProblem::line,
                        ExpressionProblem::column)
                    .contains(tuple("/a/0", 1, 6), tuple("/c", 1, 1), tuple("/d~1e", 1, 3))
                    .anySatisfy(it -> {
                      assertThat(it.toList().get(0)).isEqualTo("/b");
                      assertThat(it.toList().get(1)).isEqualTo(2);
                    }));
  }

  @Test
  void boundsTheWholeOfWhatItRenders() {
    var limits =
        new ExpressionLimits(
            8_192,
            64,
            10_000,
            200,
            1_000,
            1 << 20,
            100_000,
            1L << 29,
            new ExpressionLimits.ResultLimits(9, 5, 1_000));
    var template =
        new Expressions(limits)
            .compileTemplate(
                Json.read("[\"{{ state.l }}\", \"{{ state.l }}\", \"{{ state.l }}\"]"));
    assertThatThrownBy(() -> template.render(SCOPE))
        .isInstanceOfSatisfying(
            ExpressionException.class, e -> assertThat(e.code()).isEqualTo("expression_too_large"));
  }

  @Test
  void compilesOnlySoManySegments() {
    assertThatThrownBy(() -> EXPRESSIONS.compileTemplate(Value.of("{{ 1 }}".repeat(100_000))))
        .isInstanceOfSatisfying(
            InvalidExpressionException.class,
            e ->
                assertThat(e.problems())
                    .singleElement()
                    .satisfies(it -> assertThat(it.message()).contains("more than 1000 segments"))
                    .satisfies(it -> assertThat(it.column()).isEqualTo(7_001)));
  }

  @Test
  void sharesOneBudgetBetweenItsSegments() {
    var heavy = "{{ to_json(state.l) == '' }}";
    var list = ListValue.of(Collections.nCopies(50_000, Value.of("0123456789")));
    Scope scope = _ -> ObjectValue.of("l", list);
    assertThat(EXPRESSIONS.compileTemplate(Value.of("one " + heavy)).render(scope))
        .isEqualTo(Value.of("one false"));
    var many = EXPRESSIONS.compileTemplate(Value.of(heavy.repeat(500)));
    assertThatThrownBy(() -> many.render(scope)).hasMessageContaining("too much work");
  }

  @Test
  void countsWhatADefinitionCompiles() {
    var template = Value.of("{{ 1 }}{{ 2 }}{{ 3 }}");
    assertThat(ExpressionCount.atMost(3, () -> EXPRESSIONS.compileTemplate(template)).render(SCOPE))
        .isEqualTo(Value.of("123"));
    assertThatThrownBy(() -> ExpressionCount.atMost(2, () -> EXPRESSIONS.compileTemplate(template)))
        .isInstanceOf(TooManyExpressionsException.class)
        .hasMessageContaining("more than 2 expressions");
  }

  @Test
  void stopsCompilingWhenNobodyWaits() {
    Thread.currentThread().interrupt();
    assertThatThrownBy(() -> ExpressionCount.atMost(9, () -> EXPRESSIONS.compile("1")))
        .isInstanceOf(java.util.concurrent.CancellationException.class);
    assertThat(Thread.interrupted()).isTrue();
  }
}
