package dev.superstep.expression;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.superstep.graph.ExpressionException;
import dev.superstep.graph.Scope;
import dev.superstep.json.Json;
import dev.superstep.state.value.Canonical;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.state.value.Value;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ExpressionsTests {
  private static final ObjectValue VARIABLES =
      (ObjectValue)
          Json.read(
              """
              {"state": {"count": 2, "share": 0.5, "none": null, "tags": ["b", "a"], "flag": true,
                         "user": {"name": "Ada"}, "text": "a === b"},
               "variables": {"user.name": "Ada", "user.name.first": {"x": 1}, "priority": "high",
                             "user": "leaf", "list": [1]},
               "metadata": {"priority": "low", "source": "test"},
               "now": "2026-01-02T03:04:05Z"}
              """);
  private static final Expressions EXPRESSIONS = new Expressions();

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '~',
      value = {
        "state.count + 1 | 3",
        "state.count + 1.5 | 3.5",
        "1 + 1.5 | 2.5",
        "2.5 * 2 | 5.0",
        "7 / 2 | 3",
        "7 / 2.0 | 3.5",
        "1.0 - 1 | 0.0",
        "state.count == 2.0 | true",
        "state.none | null",
        "state.none == null | true",
        "[state.none] | [null]",
        "{'a': state.none} | {\"a\":null}",
        "has(state.none) | true",
        "has(state.missing) | false",
        "state.?missing.orValue(7) | 7",
        "state.?missing | null",
        "state.?user.?name.orValue('x') | \"Ada\"",
        "state.tags | [\"b\",\"a\"]",
        "state.tags[0] | \"b\"",
        "state.tags + ['c'] | [\"b\",\"a\",\"c\"]",
        "state.tags.map(t, t + '!') | [\"b!\",\"a!\"]",
        "state.tags.filter(t, t != 'a') | [\"b\"]",
        "state.user | {\"name\":\"Ada\"}",
        "state['user'].name | \"Ada\"",
        "'name' in state.user | true",
        "'b' in state.tags | true",
        "size(state) | 7",
        "size(state.tags) | 2",
        "state.user == {'name': 'Ada'} | true",
        "state.tags == ['b', 'a'] | true",
        "state.tags.exists(t, t == 'a') | true",
        "state.user.map(k, k) | [\"name\"]",
        "state.user.transformMap(k, v, v + '!') | {\"name\":\"Ada!\"}",
        "state.tags.transformMapEntry(i, v, {v: i}) | {\"a\":1,\"b\":0}",
        "state.tags.transformList(i, v, string(i) + v) | [\"0b\",\"1a\"]",
        "1u | 1",
        "timestamp('2026-01-02T03:04:05Z') | \"2026-01-02T03:04:05Z\"",
        "duration('90m') | \"5400s\"",
        "duration('1500ms') | \"1.5s\"",
        "now + duration('1h') | \"2026-01-02T04:04:05Z\"",
        "int(1.9) | 1",
        "cel.bind(x, 2, x * x) | 4",
        "optional.of(1) | 1",
        "{'a': 1, ?'b': state.?missing} | {\"a\":1}",
        "[1, ?state.?missing] | [1]",
        "dyn([optional.of(1)])[0].value() | 1",
        "'abc'.charAt(1) | \"b\"",
        "'a-b-c'.split('-') | [\"a\",\"b\",\"c\"]",
        "['a', 'b'].join('-') | \"a-b\"",
        "'aXbX'.replace('X', '') | \"ab\"",
        "strings.quote('a\"b') | \"\\\"a\\\\\\\"b\\\"\"",
        "'tacocat'.indexOf('c') | 2",
        "'tacocat'.lastIndexOf('c') | 4",
        "'Hello'.matches('l+') | true",
        "matches('Hello', '^l+') | false",
        "'Hello'.contains('ell') | true",
      })
  void evaluatesCelOverStateWithoutConvertingIt(String source, String expected) {
    assertThat(Canonical.text(EXPRESSIONS.evaluate(source, VARIABLES))).isEqualTo(expected);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '~',
      value = {
        "context.priority === 'high' | true",
        "context.priority !== 'high' | false",
        "context.source | \"test\"",
        "context.user.name | \"Ada\"",
        "context.user.name.first.x | 1",
        "context.user.name.first.y | null",
        "context.user | \"leaf\"",
        "context.nothing.at.all | null",
        "has(context.user.name) | true",
        "has(context.nothing) | false",
        "context.?user.?name.orValue('x') | \"Ada\"",
        "context.?nothing.orValue('x') | \"x\"",
        "context['user.name'] | \"Ada\"",
        "context.list.map(context, context + 1) | [2]",
        "size(context) | 6",
        "state.tags.map(t, context.user.name + t) | [\"Adab\",\"Adaa\"]",
      })
  void readsContextPathsByTheLongestDottedKey(String source, String expected) {
    assertThat(Canonical.text(EXPRESSIONS.evaluate(source, VARIABLES))).isEqualTo(expected);
  }

  /// S2-2, C28: `dispatch` in three forms, `is_dispatch`, `is_dispatches`, `fan_out` kept.
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '~',
      value = {
        "dispatch('a', {'x': 1}) | {\"input\":{\"x\":1},\"node\":\"a\"}",
        "dispatch('a', {}, {'k': 'v'}) | {\"input\":{},\"metadata\":{\"k\":\"v\"},\"node\":\"a\"}",
        "dispatch('a') | {\"node\":\"a\"}",
        "dispatch('a', {}, {'id': 'x'}) | {\"id\":\"x\",\"input\":{},\"node\":\"a\"}",
        "dispatch('a', {}, {'id': 'x', 'metadata': {'k': 1}}) |"
            + " {\"id\":\"x\",\"input\":{},\"metadata\":{\"k\":1},\"node\":\"a\"}",
        "dispatch('a', {}, {'id': 7}) | {\"input\":{},\"metadata\":{\"id\":7},\"node\":\"a\"}",
        "dispatch('a', {}, {'id': 'x', 'k': 1}) |"
            + " {\"input\":{},\"metadata\":{\"id\":\"x\",\"k\":1},\"node\":\"a\"}",
        "dispatch('a', {}, {}) | {\"input\":{},\"metadata\":{},\"node\":\"a\"}",
        "[dispatch('a'), dispatch('a', {}, {'id': 'x'}), {'node': 'b'}].map(d, is_dispatch(d)) |"
            + " [true,true,true]",
        "[dyn('a'), {}, {'node': 1}, {'node': 'a', 'input': 1}, {'node': 'a', 'x': 1}, null].map(d,"
            + " is_dispatch(d)) | [false,false,false,false,false,false]",
        "is_dispatches(fan_out('a', [{'x': 1}])) | true",
        "is_dispatches([dyn(dispatch('a')), 'b']) | false",
        "[is_dispatches([]), is_dispatches(dispatch('a'))] | [true,false]",
        "fan_out('a', [{'x': 1}]) | [{\"input\":{\"x\":1},\"node\":\"a\"}]",
        "fan_out('a', ['p'], 'topic') | [{\"input\":{\"topic\":\"p\"},\"node\":\"a\"}]",
        "fan_out('a', state.tags, 't').size() | 2",
        "merge({'a': 1, 'b': 1}, {'b': 2}) | {\"a\":1,\"b\":2}",
        "merge(null, state.user) | {\"name\":\"Ada\"}",
        "union(['b', 'a'], ['c', 'a']) | [\"a\",\"b\",\"c\"]",
        "union([2, 1, 1.0, true, null], null) | [null,true,1,1.0,2]",
        "sum([1, 2]) | 3",
        "sum([1, 2.5]) | 3.5",
        "sum([]) | 0",
        "avg([1, 2]) | 1.5",
        "min([3, 1.5]) | 1.5",
        "max('a', 'b') | \"b\"",
        "keys({'b': 1, 'a': 2}) | [\"a\",\"b\"]",
        "values({'b': 1, 'a': 2}) | [2,1]",
        "keys(state.user) | [\"name\"]",
        "to_json({'b': [1, null], 'a': 1.0}) | \"{\\\"a\\\":1.0,\\\"b\\\":[1,null]}\"",
        "from_json('{\"a\": [1, 1.5, null]}').a | [1,1.5,null]",
        "tokens('hello world') | 2",
        "tokens([]) > 0 | true",
        "hash('abc') |" + " \"ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad\"",
        "hash('abc', 'MD5') | \"900150983cd24fb0d6963f7d28e17f72\"",
        "hash({'b': 1, 'a': 2}) == hash(to_json({'a': 2, 'b': 1})) | true",
        "'%s has %d, %.2f%%'.format([state.user.name, 3, 12.346]) | \"Ada has 3, 12.35%\"",
        "format('%s %s %s %s', [[1, 'a'], null, true, timestamp('2026-11-29T08:00:00Z')]) |"
            + " \"[1,\\\"a\\\"] null true 2026-11-29T08:00:00Z\"",
        "format('%x %X %x %o %b %b %e', [255, 255, 'hi', 8, 5, true, 1234.5]) |"
            + " \"ff FF 6869 10 101 true 1.234500e+03\"",
        "format('%d %f', [3.0, 2]) | \"3 2.000000\"",
      })
  void addsFunctions(String source, String expected) {
    assertThat(Canonical.text(EXPRESSIONS.evaluate(source, VARIABLES))).isEqualTo(expected);
  }

  @Test
  void derivesUuidsFromTheTask() {
    var source = "[uuid(), uuid(), uuid('b'), uuid('c')]";
    var first = Canonical.text(EXPRESSIONS.compile(source).evaluate(ofTask("t")));

    assertThat(first.replaceAll("[\\[\\]\"]", "").split(","))
        .allMatch(it -> UUID.fromString(it).version() == 8 && UUID.fromString(it).variant() == 2)
        .satisfies(it -> assertThat(it[0]).isEqualTo(it[1]))
        .satisfies(it -> assertThat(Set.of(it[0], it[2], it[3])).hasSize(3));
    assertThat(Canonical.text(EXPRESSIONS.compile(source).evaluate(ofTask("t")))).isEqualTo(first);
    assertThat(Canonical.text(EXPRESSIONS.compile(source).evaluate(ofTask("u"))))
        .isNotEqualTo(first);
  }

  private static Scope ofTask(String id) {
    return name -> name.equals("uuid") ? Value.of(id) : Value.NULL;
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '~',
      value = {
        "state.missing | expression_failed | x.?y.orValue(z)",
        "state.user.age | expression_failed | has(x.y)",
        "9223372036854775807 + 1 | expression_failed | overflow",
        "sum([9223372036854775807, 1]) | expression_failed | overflow",
        "1 / 0 | expression_failed | zero",
        "state.tags[5] | expression_failed | 5",
        "state.tags + 1 | expression_failed | overload",
        "b'abc' | not_json | bytes",
        "{1: 'a'} | not_json | keys",
        "0.0 / 0.0 | not_json | NaN",
        "1.0 / 0.0 | not_json | Infinity",
        "'\\u0000' | not_json | U+0000",
        "type(1) | not_json | types",
        "[1, 2].map(x, {[x]: 1}) | expression_failed | key",
        "dyn(1).value() | expression_failed | optional",
        "[1].transformMapEntry(i, v, {'a': v}) == {'a': 1} ? from_json('{') : 1 | expression_failed"
            + " | from_json",
        "'a'.matches('(') | expression_failed | RE2",
        "left.a | expression_failed | a",
        "hash('a', 'sha') | expression_failed | SHA-256",
        "uuid() | expression_failed | no task",
        "'%s %s'.format(['a']) | expression_failed | no value",
        "'%s'.format(['a', 'b']) | expression_failed | more values",
        "'%d'.format(['a']) | expression_failed | whole number",
        "'%q'.format(['a']) | expression_failed | none of",
        "'%'.format(['a']) | expression_failed | none of",
      })
  void saysWhyAnEvaluationFailed(String source, String code, String message) {
    assertThatThrownBy(() -> EXPRESSIONS.evaluate(source, VARIABLES))
        .isInstanceOfSatisfying(
            ExpressionException.class,
            e -> {
              assertThat(e.code()).isEqualTo(code);
              assertThat(e).hasMessageContaining(message);
            });
  }

  @Test
  void givesBackTheVeryListItWasGiven() {
    var tags = Json.read("[1, 2]");
    assertThat(EXPRESSIONS.compile("state.tags").evaluate(_ -> ObjectValue.of("tags", tags)))
        .isSameAs(tags);
  }

  /// S0-12, as an expression; E19.
  @Test
  void mergesContextsAsTheSeedDoes() {
    var merge =
        EXPRESSIONS.compileMerge(
            """
            {
              'user_id': left.user_id,
              'session': right.?session.or(left.?session).orValue({}),
              'request_count': left.?request_count.orValue(0) + right.?request_count.orValue(0),
              'tags': union(left.?tags.orValue([]), right.?tags.orValue([]))
            }
            """);
    assertThat(
            merge.merge(
                Json.read("{\"user_id\": \"u1\", \"request_count\": 1, \"tags\": [\"b\", \"a\"]}"),
                Json.read(
                    "{\"session\": {\"s\": 1}, \"request_count\": 2, \"tags\": [\"a\", \"c\"]}")))
        .hasToString(
            "{\"request_count\":3,\"session\":{\"s\":1},\"tags\":[\"a\",\"b\",\"c\"],\"user_id\":\"u1\"}");
    assertThat(merge.merge(Json.read("{\"user_id\": 1, \"session\": 2}"), Json.read("{}")))
        .hasToString("{\"request_count\":0,\"session\":2,\"tags\":[],\"user_id\":1}");
    assertThat(merge.merge(Json.read("{\"user_id\": 1}"), Json.read("{\"tags\": [2, 1]}")))
        .hasToString("{\"request_count\":0,\"session\":{},\"tags\":[1,2],\"user_id\":1}");
    assertThatThrownBy(() -> merge.merge(Json.read("{}"), Json.read("{}")))
        .hasMessageContaining("user_id");
  }

  @Test
  void mergesContextsAsTheExampleDefinitionDoes() {
    var merge =
        EXPRESSIONS.compileMerge(
            "{'user_id': left.user_id, 'tags': union(left.?tags.orValue([]),"
                + " right.?tags.orValue([]))}");
    assertThat(merge.merge(Json.read("{\"user_id\": 7}"), Json.read("{\"tags\": [\"x\"]}")))
        .hasToString("{\"tags\":[\"x\"],\"user_id\":7}");
  }

  @Test
  void takesOnlyBooleansAsConditions() {
    assertThat(EXPRESSIONS.compileCondition("state.ok").test(_ -> Json.read("{\"ok\": true}")))
        .isTrue();
    assertThatThrownBy(
            () -> EXPRESSIONS.compileCondition("state.ok").test(_ -> Json.read("{\"ok\": null}")))
        .isInstanceOfSatisfying(
            ExpressionException.class, e -> assertThat(e.code()).isEqualTo("not_boolean"));
    assertThatThrownBy(() -> EXPRESSIONS.compileCondition("1 + 1"))
        .isInstanceOf(InvalidExpressionException.class)
        .hasMessageContaining("int");
  }

  @Test
  void takesNoNumbersAsRoutes() {
    assertThat(EXPRESSIONS.compileRoute("['a', dispatch('b', {})]").route(_ -> Value.NULL))
        .hasToString("[\"a\",{\"input\":{},\"node\":\"b\"}]");
    assertThatThrownBy(() -> EXPRESSIONS.compileRoute("1"))
        .isInstanceOf(InvalidExpressionException.class);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '~',
      value = {
        "state.a +* 2 | 1 | 10",
        "foo + 1 | 1 | 1",
        "1 + 'a' | 1 | 3",
        "a === b | 1 | 1",
        "state.a === 1 && nope | 1 | 18",
        "left.a | 1 | 1",
        "google.protobuf.Struct{} | 1 | 23",
      })
  void saysWhereASourceDoesNotCompile(String source, int line, int column) {
    assertThatThrownBy(() -> EXPRESSIONS.compile(source))
        .isInstanceOfSatisfying(
            InvalidExpressionException.class,
            e -> {
              assertThat(e.problems().getFirst().line()).isEqualTo(line);
              assertThat(e.problems().getFirst().column()).isEqualTo(column);
            });
  }

  /// Seed 4.
  @Test
  void readsTripleEqualsOnlyAsTokens() {
    assertThat(
            EXPRESSIONS.evaluate(
                """
                state.text === 'a === b' // it's === here
                  && state.text !== "x\\"===" && r'\\d' !== '===' && '''=== ' ''' !== state.text
                """,
                VARIABLES))
        .isEqualTo(Value.TRUE);
  }
}
