package dev.superstep.expression;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// What does not compile is explained in sentences, one for one mistake.
class SyntaxMessagesTests {
  private static final Expressions EXPRESSIONS = new Expressions();

  @ParameterizedTest
  @CsvSource(
      delimiter = '~',
      quoteCharacter = '`',
      value = {
        "state.a + ~ 10 ~ the expression ends too early: a value is missing behind '+'",
        "state.a && ~ 11 ~ a value is missing behind '&&'",
        "(state.a ~ 9 ~ a ')' is missing",
        "[1, 2 ~ 6 ~ a ']' is missing",
        "{'a': 1 ~ 8 ~ a '}' is missing",
        "state.a ? 1 ~ 12 ~ a ':' is missing",
        "{a b} ~ 4 ~ a ':' is missing before 'b'",
        "state.a) ~ 8 ~ one ')' too many",
        "state.a state.b ~ 9 ~ 'state' cannot follow 'a'",
        "state.a = 1 ~ 9 ~ CEL writes == for '='",
        "state.a and state.b ~ 9 ~ CEL writes && for 'and'",
        "state.a or state.b ~ 9 ~ CEL writes || for 'or'",
        "not state.a ~ 5 ~ CEL writes ! for 'not'",
        "state.a <> 1 ~ 10 ~ CEL writes != for '<>'",
        "if (state.a) 1 ~ 1 ~ write condition ? a : b",
        "'abc ~ 1 ~ the string that begins here is not closed",
        "'\\q' ~ 1 ~ an escape that CEL does not know",
        "state.a == “x” ~ 12 ~ strings stand in straight quotes",
        "state.a; ~ 8 ~ leave the ';' out",
        "@a ~ 1 ~ '@' means nothing in CEL",
        "state..a ~ 7 ~ a name must stand behind '.'",
        "1 + * 2 ~ 5 ~ '*' stands where a value should",
        "{{ state.a }} ~ 12 ~ CEL without braces",
        "nothing ~ 1 ~ no variable or function 'nothing'",
        "state.l.map(x) ~ 12 ~ 'map' is written list.map(item, expression)",
        "'a' + 1 ~ 5 ~ '+' cannot be applied to (string, int)",
        "size(1) ~ 5 ~ 'size' cannot be called with (int)",
        "has(state) ~ 4 ~ 'has' is written has(x.y)"
      })
  void saysWhatStandsThereAndWhatToWrite(String source, int column, String sentence) {
    assertThatThrownBy(() -> EXPRESSIONS.compile(source))
        .isInstanceOfSatisfying(
            InvalidExpressionException.class,
            e -> {
              var problem = e.problems().getFirst();
              assertThat(e.problems()).hasSize(1);
              assertThat(problem.column()).isEqualTo(column);
              assertThat(problem.message())
                  .contains(sentence)
                  .doesNotContain("expecting")
                  .doesNotContain("EOF")
                  .doesNotContain("token recognition")
                  .doesNotContain("container");
            });
  }
}
