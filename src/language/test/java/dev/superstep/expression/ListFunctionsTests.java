package dev.superstep.expression;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.superstep.graph.ExpressionException;
import dev.superstep.json.Json;
import dev.superstep.state.value.Canonical;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.state.value.Value;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// CEL's extensions for lists, numbers and base64, within the budget.
@Timeout(60)
class ListFunctionsTests {
  private static final Expressions EXPRESSIONS = new Expressions();
  private static final ObjectValue VARIABLES =
      ObjectValue.of(
          "state",
          Json.read(
              """
              {"n": [3, 1.5, 2, 2.0], "s": ["b", "ä", "a", "a"], "deep": [[1, [2, [3]]], 4],
               "people": [{"name": "Bo", "age": 30}, {"name": "Al", "age": 30},
                          {"name": "Cy", "age": 20}]}
              """));

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '~',
      value = {
        "state.n.sort() | [1.5,2,2.0,3]",
        "state.s.sort() | [\"a\",\"a\",\"b\",\"ä\"]",
        "[true, false].sort() | [false,true]",
        "[duration('2h'), duration('1m')].sort() | [\"60s\",\"7200s\"]",
        "[].sort() | []",
        "state.people.sortBy(p, p.age).map(p, p.name) | [\"Cy\",\"Bo\",\"Al\"]",
        "state.people.sortBy(p, p.name)[0].name | \"Al\"",
        "state.n.slice(1, 3) | [1.5,2]",
        "state.n.slice(4, 4) | []",
        "state.n.distinct() | [3,1.5,2]",
        "[[1], [1.0], {'a': 1}, {'a': 1}, null, null].distinct() | [[1],{\"a\":1},null]",
        "state.deep.flatten() | [1,[2,[3]],4]",
        "state.deep.flatten(2) | [1,2,[3],4]",
        "state.deep.flatten(0) | [[1,[2,[3]]],4]",
        "lists.range(3) | [0,1,2]",
        "lists.range(0) | []",
        "lists.range(100000).size() | 100000",
        "state.s.reverse() | [\"a\",\"a\",\"ä\",\"b\"]",
        "'abc'.reverse() | \"cba\"",
        "math.greatest(1, 2.5, 2) | 2.5",
        "math.least(state.n) | 1.5",
        "math.greatest(state.n) | 3",
        "math.ceil(1.2) | 2.0",
        "math.round(-1.5) | -2.0",
        "math.trunc(1.9) | 1.0",
        "math.abs(-3) | 3",
        "math.sign(-2.0) | -1.0",
        "math.sqrt(9.0) | 3.0",
        "math.bitAnd(6, 3) | 2",
        "math.isFinite(1.0 / 0.0) | false",
        "base64.encode(b'hello') | \"aGVsbG8=\"",
        "string(base64.decode('aGVsbG8=')) | \"hello\""
      })
  void evaluates(String source, String json) {
    assertThat(Canonical.text(EXPRESSIONS.evaluate(source, VARIABLES)))
        .isEqualTo(Canonical.text(Json.read(json)));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '~',
      value = {
        "state.n.slice(2, 1) | slice: from 2 to 1",
        "state.n.slice(-1, 1) | slice: from -1",
        "state.n.slice(0, 9) | of 4 items",
        "[1, 'a'].sort() | numbers only or strings only",
        "state.people.sort() | numbers only or strings only",
        "[[1]].sort() | not a list",
        "state.people.sortBy(p, p) | numbers only or strings only",
        "state.deep.flatten(-1) | must not be negative",
        "math.greatest(dyn(['a'])) | math.greatest: expected numbers",
        "base64.decode('***') | no base64 text",
        "lists.range(100001) | longer than 100000 items",
        "lists.range(1000000000000) | longer than 100000 items"
      })
  void saysWhatIsWrong(String source, String message) {
    assertThatThrownBy(() -> EXPRESSIONS.evaluate(source, VARIABLES))
        .isInstanceOf(ExpressionException.class)
        .hasMessageContaining(message);
  }

  /// Each call pays for the items that it goes through, and not only for being called.
  @ParameterizedTest
  @ValueSource(
      strings = {
        "a.sort()",
        "a.sortBy(x, -x)",
        "a.slice(0, 90000)",
        "a.distinct()",
        "[a].flatten()",
        "dyn(a).flatten(1)",
        "a.reverse()",
        "lists.range(90000)"
      })
  void chargesForEachItem(String call) {
    var shorter = call.replace("90000", "5000");

    assertThat(evaluate("cel.bind(a, lists.range(5000), %s.size() > 0)".formatted(shorter)))
        .isEqualTo(Value.TRUE);
    assertThatThrownBy(() ->
            evaluate(
                "cel.bind(a, lists.range(90000), lists.range(1000).all(i, %s.size() > 0))"
                    .formatted(call)))
        .isInstanceOfSatisfying(
            ExpressionException.class, e -> assertThat(e.code()).isEqualTo("expression_too_large"));
  }

  private static Value evaluate(String source) {
    return EXPRESSIONS.evaluate(source, VARIABLES);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "lists.range(100000).map(i, i)",
        "lists.range(9000).all(i, lists.range(100000).size() > 0)",
        "lists.range(9000).all(i, lists.range(9000).reverse().sort().distinct().size() > 0)",
        "lists.range(9000).all(i, math.greatest(lists.range(9000)) > 0)",
        "lists.range(9000).map(i, [i]).distinct()",
        "cel.bind(a, lists.range(90000), [a, a, a].flatten())",
        "cel.bind(a, lists.range(9000), cel.bind(b, a.map(i, a), b.flatten()))",
        "cel.bind(a, [[1,1],[1,1]], cel.bind(b, [a,a,a,a,a,a,a,a,a,a], cel.bind(c,"
            + " [b,b,b,b,b,b,b,b,b,b], cel.bind(d, [c,c,c,c,c,c,c,c,c,c], cel.bind(e,"
            + " [d,d,d,d,d,d,d,d,d,d], [e,e,e,e,e,e,e,e,e,e].flatten(9))))))",
        "cel.bind(b, bytes('x'), lists.range(9000).all(i, base64.encode(b) !="
            + " base64.encode(base64.decode(base64.encode(bytes(to_json(lists.range(9000))))))))"
      })
  void endsBombs(String source) {
    assertThatThrownBy(() -> EXPRESSIONS.evaluate(source, VARIABLES))
        .isInstanceOfSatisfying(
            ExpressionException.class, e -> assertThat(e.code()).isEqualTo("expression_too_large"));
  }
}
