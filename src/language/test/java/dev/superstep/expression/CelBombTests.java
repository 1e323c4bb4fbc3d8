package dev.superstep.expression;

import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.graph.ExpressionException;
import dev.superstep.json.Json;
import dev.superstep.state.value.Canonical;
import dev.superstep.state.value.ListValue;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.state.value.Value;
import java.util.Collections;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Expressions made to exhaust time or memory must end soon, with an error or a small result. The
/// time-outs are for busy machines; alone each takes about a second at most.
@Timeout(60)
class CelBombTests {
  private static final Expressions EXPRESSIONS = new Expressions();
  private static final ObjectValue NOTHING = ObjectValue.empty();

  /// The first evaluation loads CEL, which is not what is timed here.
  @BeforeAll
  static void warmUp() {
    outcome("1 + 1");
  }

  private static String outcome(String source) {
    return outcome(source, NOTHING);
  }

  private static String outcome(String source, ObjectValue variables) {
    try {
      var text = Canonical.text(EXPRESSIONS.evaluate(source, variables));
      return text.length() < 1000 ? text : "a long result";
    } catch (InvalidExpressionException e) {
      return "invalid";
    } catch (ExpressionException e) {
      assertThat(String.valueOf(e.getMessage())).hasSizeLessThan(2_000);
      return e.code();
    }
  }

  private static String tens(String part, String separator) {
    return String.join(separator, Collections.nCopies(10, part));
  }

  /// `cel.bind(z1, …, cel.bind(z2, …, body))`, each ten times the one before.
  private static String binds(int count, boolean lists, String body) {
    var out = new StringBuilder();
    for (int i = 1; i <= count; i++) {
      var before = i == 1 ? "'xxxxxxxxxx'" : "z" + (i - 1);
      var ten = lists ? "[" + tens(before, ",") + "]" : tens(before, "+");
      out.append("cel.bind(z%d, %s, ".formatted(i, ten));
    }
    return out + body + ")".repeat(count);
  }

  @Test
  void survivesStringsThatDouble() {
    assertThat(outcome(binds(7, false, "size(z7)"))).isEqualTo("expression_too_large");
    assertThat(outcome(binds(3, false, "size(z3)"))).isEqualTo("10000");
  }

  @Test
  void survivesListsThatShareTheirItems() {
    assertThat(outcome(binds(9, true, "z9"))).isEqualTo("expression_too_large");
    assertThat(outcome(binds(9, true, "size(z9)"))).isEqualTo("10");
  }

  @Test
  void survivesNestedMapsOverSharedStructure() {
    var source = new StringBuilder("[0]");
    for (int i = 1; i <= 7; i++) {
      source.append(".map(v%d, [[%s]]".formatted(i, tens("v" + i, ",")));
    }
    source.append(")".repeat(7)).append(".size()");
    assertThat(outcome(source.toString())).isEqualTo("1");
  }

  @Test
  void survivesLoopsInLoops() {
    var numbers =
        IntStream.range(0, 32).mapToObj(String::valueOf).collect(Collectors.joining(",", "[", "]"));
    var source = new StringBuilder("1");
    for (int i = 0; i < 6; i++) {
      source.insert(0, numbers + ".map(v%d, ".formatted(i)).append(")");
    }
    assertThat(outcome(source.toString())).isEqualTo("expression_too_large");
  }

  @ParameterizedTest
  @ValueSource(strings = {"(a+)+$", "(.*a){16}c", "(x+x+)+y", "((a{100}){100}){100}"})
  void survivesRegularExpressions(String regex) {
    var s = Value.of("a".repeat(100_000) + "!");
    assertThat(outcome("state.s.matches('%s')".formatted(regex), state(s)))
        .isIn("false", "expression_too_large", "expression_failed");
  }

  /// Each of these took a minute and more: no class of characters is free, nor a loop over them.
  @ParameterizedTest
  @ValueSource(
      strings = {
        "state.s.matches('(\\\\pL*){40}x')",
        "state.s.matches('([\\\\pL\\\\pN\\\\pS]*\\\\pL){40}!')",
        "state.s.matches('\\\\pL{190}x')",
        "state.l.all(i, !state.s.matches('[\\\\pL\\\\pN\\\\pP\\\\pS]' + string(i)))",
        "state.l.all(i, !'é'.matches('[\\\\pL\\\\pN\\\\pP\\\\pS][\\\\pL\\\\PN][\\\\PL\\\\pS]' +"
            + " string(i)))"
      })
  void survivesClassesOfCharacters(String source) {
    var numbers = ListValue.of(IntStream.range(0, 9_000).<Value>mapToObj(Value::of).toList());
    var variables =
        ObjectValue.of(
            "state", ObjectValue.of("s", Value.of("é".repeat(500_000))).plus("l", numbers));
    assertThat(outcome(source, variables)).isEqualTo("expression_too_large");
  }

  @Test
  void countsAMegabyteOfTokensWithinItsBudget() {
    assertThat(outcome("tokens(state.s)", state(Value.of("a".repeat(1 << 20)))))
        .isEqualTo("131072");
    assertThat(outcome("tokens(state.s)", state(Value.of("詞".repeat(1 << 20)))))
        .isEqualTo("expression_too_large");
  }

  @Test
  void refusesCharactersThatTheLibraryDoesNotComeBackFrom() {
    assertThat(outcome("'a'.matches('(?i)\u1c80')")).isEqualTo("expression_failed");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "z9 == [z8,z8,z8,z8,z8,z8,z8,z8,z8,[z7,z7]]",
        "[z9].exists(x, x == [[z8][0],z8,z8,z8,z8,z8,z8,z8,z8,[z7]])",
        "z8 in z9 && [1, z8] in [z9]",
        "{z9: 1}",
        "{'a': 1}[z9]",
        "z9 in {'a': 1}",
        "{'a': 1}[?z9].orValue(2)",
        "to_json(z9)",
        "tokens(z9)",
        "union(z9, [z8])",
        "union([z9], [z9])",
        "min(z9)",
        "z9.join('')",
        "z9[9999999999]",
        "z9[?9999999999].orValue(1)",
        "dyn(z9).value()",
        "optional.unwrap(z9)",
        "[1, 2].transformMapEntry(i, v, {'a': z9})",
        "['a'].transformMapEntry(i, v, {z9: v})",
        "int(dyn(z9))",
        "z9 + 1",
        "z9.x",
        "dyn(z9) < 1",
        "string(dyn(z9))",
        "sum(z9)",
        "merge(z9, {})",
        "optional.of(z9) == optional.of([z8,z8,z8,z8,z8,z8,z8,z8,z8,[z7]])",
      })
  void survivesWhatWalksOrPrintsSharedStructure(String body) {
    assertThat(outcome(binds(9, true, body))).hasSizeLessThan(30);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "state.s.replace('a', state.s)",
        "state.s.replace('', state.s)",
        "[1,2,3,4,5,6,7,8].map(x, state.s.replace('b', 'c')).size()",
        "state.s.contains(state.half + 'b')",
        "state.s.indexOf(state.half + 'b')",
        "state.s.lastIndexOf('b' + state.half)",
        "state.s.split(state.half + 'b').size()",
        "state.s.split('').size()",
        "[state.s, state.s, state.s].join('')",
        "strings.quote(strings.quote(strings.quote('\"' + state.half)))",
        "tokens(state.s)",
        "state.s.reverse().upperAscii() == state.s",
        "state.list.map(x, x in state.list).size()",
        "state.list.map(x, state.s + x).size()",
        "state.list.map(x, state.s.contains(x)).size()",
        "state.list.map(x, state.list + state.list).size()",
        "state.list.transformMap(i, v, state.list)",
        "state.list.map(x, state.list)",
        "state.list.exists(x, int(state.s) == 1)",
      })
  void survivesWorkOnLargeValues(String source) {
    var items = IntStream.range(0, 10_000).mapToObj(i -> Value.of("i" + i)).toList();
    var variables =
        ObjectValue.of(
            "state",
            ObjectValue.of("s", Value.of("a".repeat(1 << 20)))
                .plus("half", Value.of("a".repeat(1 << 19)))
                .plus("list", ListValue.of(items)));
    assertThat(outcome(source, variables)).hasSizeLessThan(30);
  }

  @Test
  void survivesDeepSources() {
    assertThat(outcome("1" + "+1".repeat(4_000))).isEqualTo("invalid");
    assertThat(outcome("1" + "+1".repeat(50))).isEqualTo("51");
    assertThat(outcome("(".repeat(4_000) + "1" + ")".repeat(4_000))).isEqualTo("invalid");
    assertThat(outcome("!".repeat(8_000) + "true")).isIn("invalid", "true");
    assertThat(outcome("[".repeat(4_000) + "]".repeat(4_000))).isEqualTo("invalid");
    assertThat(outcome("x" + ".a".repeat(4_000))).isEqualTo("invalid");
    assertThat(outcome("true" + " && true".repeat(900))).isEqualTo("true");
    assertThat(outcome("1" + " ".repeat(8_191))).isEqualTo("1");
    assertThat(outcome("1" + " ".repeat(8_192))).isEqualTo("invalid");
  }

  @Test
  void survivesDeepInput() {
    Value deep = Value.of(1);
    for (int i = 0; i < 100; i++) {
      deep = ListValue.of(deep);
    }
    assertThat(outcome("[state.s]", state(deep))).isEqualTo("expression_too_large");
    assertThat(outcome("state.s == [state.s]", state(deep))).isEqualTo("false");
  }

  /// A node's time-out interrupts its thread.
  @Test
  void stopsWhenItsThreadIsInterrupted() throws InterruptedException {
    var items = ListValue.of(Collections.nCopies(100, Value.of(1)));
    var source = "state.s.map(a, state.s.map(b, [a, b, a, b, a, b, a, b])).size()";
    var result = new StringBuilder();
    var thread =
        Thread.ofVirtual()
            .unstarted(() -> {
              Thread.currentThread().interrupt();
              result.append(outcome(source, state(items)));
            });
    thread.start();
    thread.join();
    assertThat(result).hasToString("expression_too_large");
  }

  private static ObjectValue state(Value s) {
    return ObjectValue.of("state", ObjectValue.of("s", s));
  }

  @Test
  void keepsErrorsSmallThatQuoteTheirInput() {
    var text = Json.read("{\"state\": {\"s\": \"%s\"}}".formatted("x".repeat(100_000)));
    assertThat(outcome("int(state.s)", (ObjectValue) text)).isEqualTo("expression_failed");
    assertThat(outcome("{'a': 1}[state.s]", (ObjectValue) text)).isEqualTo("expression_failed");
  }
}
