package dev.superstep.expression;

import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.expression.TypeCheck.Expected;
import dev.superstep.expression.TypeProblem.UnknownField;
import dev.superstep.expression.TypeProblem.UnknownText;
import dev.superstep.expression.TypeProblem.WrongType;
import dev.superstep.expression.ValueType.ListOf;
import dev.superstep.expression.ValueType.Simple;
import dev.superstep.expression.ValueType.Text;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// What follows from types inside of expressions; whole definitions are in the corpus of mistakes.
class TypeCheckTests {
  private static final Expressions EXPRESSIONS = new Expressions();
  private static final ValueType ITEM =
      ValueTypes.closed(
          Map.of(
              "name",
              ValueTypes.STRING,
              "size",
              Simple.NUMBER,
              "kind",
              new Text(List.of("a", "b"))));
  private static final Map<String, ValueType> TYPES =
      Map.of(
          "state",
          ValueTypes.closed(
              Map.of(
                  "item",
                  ITEM,
                  "items",
                  new ListOf(ITEM),
                  "words",
                  new ListOf(ValueTypes.STRING),
                  "any",
                  Simple.ANY,
                  "flag",
                  Simple.BOOL)));

  private static String told(String source) {
    return EXPRESSIONS.inspect(source, TYPES, Expected.VALUE).problems().stream()
        .map(TypeCheckTests::told)
        .collect(Collectors.joining(", "));
  }

  private static String told(TypeProblem problem) {
    var what =
        switch (problem) {
          case UnknownField field -> field.owner() + "." + field.field();
          case UnknownText text -> "'" + text.text() + "'";
          case WrongType _ -> "type";
        };
    return what + " " + problem.at().column();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '#',
      quoteCharacter = '~',
      value = {
        "state.items.filter(i, i.size > 1).map(i, i.nam) # i.nam 44",
        "state.items.map(i, i.size > 1, i.nam) # i.nam 34",
        "state.items.map(i, i.name).filter(n, n > 1) # type 40",
        "[state.item][0].nam # this value.nam 17",
        "{'x': state.item}.x.nam # this value.nam 21",
        "(state.flag ? state.item : state.item).nam # this value.nam 40",
        "state.?item.orValue(state.any).nam # ~~",
        "state.?item.name.orValue('') + 1 # type 30",
        "state.item.?nam.orValue('') # state.item.nam 13",
        "optional.of(state.item).value().nam # this value.nam 33",
        "cel.bind(i, state.item, i.nam) # i.nam 27",
        "state.items.exists(i, i.kind == 'c') # 'c' 30",
        "state.item.kind == 'a' ? 1 : state.item.nam # state.item.nam 41",
        "[state.item.kind, 'z'].exists(k, k == 'y') # 'y' 36",
        "state.items.sortBy(i, i.nam) # i.nam 25",
        "state.words.transformList(i, w, w + i) # type 35",
        "state.items[0]['nam'] # state.items[0].nam 17",
        "state.words['first'] # type 14",
        "state.item.size.floor # type 17",
        "math.isNaN(state.item.name) # type 6",
        "state.words.slice(0, 1)[0] * 2 # type 28",
        "-state.item.name # type 1",
        "state.any.x.y + state.any # ~~",
        "state.item.nam + # ~~"
      })
  void followsTypesThroughAnExpression(String source, String expected) {
    assertThat(told(source)).isEqualTo(expected);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "state.item == null || null == state.words",
        "state.flag ? null : state.item.name",
        "state.item == {} || state.words == []",
        "state.words + [1, null] + [[2]]",
        "state.any in state.words || 'name' in state.item || state.item.name in ['a', 'b']",
        "state.item.size + 1.5 - 2 * state.item.size / 3",
        "state.item.size < 1.5 && state.item.size == 2u",
        "size(state.item) + state.words.size() + state.item.name.size()",
        "[1, 'a', null].filter(x, x != null).map(x, x == 'a')",
        "{'a': 1}.map(k, k + '!') + ['b']",
        "[[1], [2]].flatten().map(n, n + 1)",
        "state.words.flatten()",
        "[state.item, {'name': 1}].map(i, i.anything)",
        "timestamp(state.item.name) > now && now.getFullYear() > 2025",
        "string(now - duration('1h')) + string(1.5) + string(state.flag)",
        "type(state.item.size) == int || type(state.words) == list",
        "has(state.item.name) && state.item.name.matches('^a')",
        "min(state.item.size, 3) + max([1, 2]) + avg([1]) + sum([1])",
        "merge(state.item, {'x': 1}).x + keys(state.item).size()",
        "context.user.name + variables['a.b'] + metadata.x",
        "optional.none().orValue(state.item.name) + optional.of(1).optMap(n, string(n)).orValue('')"
      })
  void findsNothingWrongWithWhatIsCommon(String source) {
    assertThat(told(source)).isEmpty();
    EXPRESSIONS.compile(source);
  }

  @Test
  void saysEachProblemOnceThoughMacrosRepeatTheirTarget() {
    assertThat(told("optional.of(state.item.nam).optMap(n, n)")).isEqualTo("state.item.nam 24");
  }

  @Test
  void checksWhatAnExpressionIsFor() {
    assertThat(EXPRESSIONS.inspect("state.item.name", TYPES, Expected.CONDITION).problems())
        .hasSize(1);
    assertThat(EXPRESSIONS.inspect("state.any", TYPES, Expected.CONDITION).problems()).isEmpty();
    assertThat(EXPRESSIONS.inspect("state.flag", TYPES, Expected.ROUTE).problems()).hasSize(1);
    assertThat(EXPRESSIONS.inspect("state.words", TYPES, Expected.ROUTE).problems()).isEmpty();
  }

  /// The longest expression that may be posted, nested as deep as it may be.
  @Test
  void endsForTheLargestExpressions() {
    var deep = "[".repeat(60) + "state.item.nam" + "]".repeat(60);
    var wide = "1" + " + state.item.nam".repeat(480);

    assertThat(told(deep)).isEqualTo("state.item.nam 72");
    assertThat(EXPRESSIONS.inspect(wide, TYPES, Expected.VALUE).problems()).hasSizeLessThan(1_000);
  }

  /// Each costs a search of the whole text.
  @Test
  void findsOnlySomeOfManyProblems() {
    var many = IntStream.range(0, 150).mapToObj("state.item.f%d"::formatted);
    assertThat(
            EXPRESSIONS
                .inspect("[" + many.collect(Collectors.joining(", ")) + "]", TYPES, Expected.VALUE)
                .problems())
        .hasSize(100);
  }
}
