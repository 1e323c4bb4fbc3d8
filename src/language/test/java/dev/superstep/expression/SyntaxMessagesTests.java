package dev.superstep.expression;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

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
        "size(state.a ~ 13 ~ a ')' is missing",
        "state['x' ~ 10 ~ a ']' is missing",
        "state['x ~ 7 ~ the string that begins here is not closed",
        "max(1, 2,) ~ 10 ~ ')' stands where a value should",
        "state.a == 'it's' ~ 16 ~ 's' cannot follow a string",
        "'a' 'b' ~ 5 ~ the string 'b' cannot follow a string",
        "state?.a ~ 9 ~ write x.?y",
        "state.a ?? 1 ~ 10 ~ write x.?y, or x.?y.orValue(z)",
        "state.a ?: 1 ~ 10 ~ write x.?y, or x.?y.orValue(z)",
        "state.l.map(x -> x) ~ 16 ~ CEL has no '->'",
        "state.l.filter(x => x > 1) ~ 18 ~ CEL has no '=>'",
        "state.a =< 1 ~ 9 ~ CEL writes <= for '=<'",
        "state.a & state.b ~ 9 ~ CEL writes && for '&'",
        "state.a is null ~ 9 ~ CEL writes == for 'is'",
        "state.a OR state.b ~ 9 ~ CEL writes || for 'OR'",
        "state.a not in [1] ~ 9 ~ CEL writes !(x in list) for 'not in'",
        "${state.a} ~ 1 ~ write state.x for ${state.x}",
        "state.l[1:2] ~ 10 ~ write list.slice(from, to)",
        "% 1 ~ 1 ~ '%' stands where",
        "- ~ 2 ~ the expression ends too early behind '-'",
        "return state.a ~ 1 ~ 'return' is a reserved word",
        "True ~ 1 ~ CEL writes true",
        "len(state.a) ~ 4 ~ CEL writes size(x)",
        "state.a ? 1 : 'b' ~ 9 ~ both sides of ':' must be of one type",
        "state.a && (1 ? 2 : 3) ~ 15 ~ what stands before '?', or is asked of every item, must be"
            + " true or false",
        "{{ state.a }} ~ 12 ~ CEL without braces",
        "nothing ~ 1 ~ there is no variable 'nothing' here; quote it if it is a text, or read"
            + " channels as state.nothing",
        "state.l.map(x) ~ 12 ~ 'map' is written list.map(item, expression)",
        "'a' + 1 ~ 5 ~ '+' cannot be applied to a string and an integer; convert one of them, as in"
            + " string(x)",
        "size(1) ~ 5 ~ 'size' cannot be called with an integer; it takes (string) or (bytes) or"
            + " (list) or (object)",
        "has(state) ~ 4 ~ 'has' is written has(x.y)",
        "foo(state.a) ~ 4 ~ there is no function 'foo'",
        "math.max(1) ~ 1 ~ there is no variable 'math' here",
        "'a' in 'b' ~ 5 ~ in a string, write text.contains(x)",
        "[1][0][0] ~ 7 ~ an integer has no items",
        "'a'.size ~ 4 ~ a string has no fields",
        "1.map(x, x) ~ 1 ~ only a list or an object has items, this is an integer",
        "state.l.map(1, x) ~ 13 ~ the first argument names an item",
        "'a'.split(1) ~ 10 ~ 'split' cannot be called on a string with an integer",
        "string([]) ~ 7 ~ 'string' cannot be called with a list",
        "!1 ~ 1 ~ '!' cannot be applied to an integer; it takes true or false",
        "duration('1h') + 1 ~ 16 ~ '+' cannot be applied to a duration and an integer"
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
                  .doesNotContain("input")
                  .doesNotContain("extraneous")
                  .doesNotContain("IDENTIFIER")
                  .doesNotContain("%%")
                  .doesNotContain("EOF")
                  .doesNotContain("token recognition")
                  .doesNotContain("container")
                  .doesNotContain("overload")
                  .doesNotContain("protobuf")
                  .doesNotContain("%elem")
                  .doesNotContain("undeclared reference");
            });
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "state.a === 1",
        "state.a !== 1",
        "[1, 2,]",
        "{'a': 1,}",
        "state.?a",
        "state.a // why"
      })
  void takesWhatOtherLanguagesWriteWhereItIsClear(String source) {
    assertThat(EXPRESSIONS.compile(source)).isNotNull();
  }

  @Test
  void saysThatAStringEndsInItsLine() {
    assertThatThrownBy(() -> EXPRESSIONS.compile("state.a == 'one\ntwo'"))
        .isInstanceOfSatisfying(
            InvalidExpressionException.class,
            e ->
                assertThat(e.problems().getFirst().message())
                    .contains("a string ends in its line; write \\n"));
  }
}
