package dev.superstep.context;

import static dev.superstep.context.Contexts.object;
import static dev.superstep.context.DefaultBehavior.PASS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.superstep.state.value.ListValue;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.state.value.Value;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class TransformTests {

  private static ObjectValue apply(String pattern, String call, ObjectValue variables) {
    var rule = FilterRule.transform(pattern, Transforms.BUILT_IN.call(call));
    var context = Contexts.context(variables, ListValue.empty(), ObjectValue.empty());
    return ContextFilter.of(List.of(rule), PASS)
        .apply(context, ConditionScope.NONE)
        .context()
        .variables();
  }

  /// P6
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "upper | Ab | AB",
        "lower() | Ab | ab",
        "trim |` a b `| a b",
        "prefix('x: ') | a | x: a",
        "prefix(\"it's \") | a | it's a",
        "truncate(2) | a😀c | a😀",
        "truncate(9) | abc | abc",
        "mask | secret | ***",
        "constant( 'c' ) | a | c",
        "default('d') | a | a"
      })
  void changesTexts(String call, String before, String after) {
    assertThat(apply("k", call, object("k", before))).isEqualTo(object("k", after));
  }

  /// P6: constants of all types, and JSON text of anything.
  @Test
  void takesLiteralsOfAllTypes() {
    assertThat(
            apply("k", "constant([1, -2.5, true, null, {'a': \"b\"}])", object("k", "x")).get("k"))
        .isEqualTo(
            ListValue.of(Value.of(1), Value.of(-2.5), Value.TRUE, Value.NULL, object("a", "b")));
    assertThat(apply("k", "json", ObjectValue.of("k", object("a", "b"))))
        .isEqualTo(object("k", "{\"a\":\"b\"}"));
  }

  /// P6: `default` fills null, and what is absent if the pattern is a key.
  @Test
  void fillsWhatIsMissing() {
    assertThat(apply("k", "default(1)", ObjectValue.of("k", Value.NULL)))
        .isEqualTo(ObjectValue.of("k", Value.of(1)));
    assertThat(apply("k", "default(1)", ObjectValue.empty()))
        .isEqualTo(ObjectValue.of("k", Value.of(1)));
    assertThat(apply("k.*", "default(1)", ObjectValue.empty())).isEqualTo(ObjectValue.empty());
  }

  /// P6: transforms of texts leave other values as they are; `mask` hides any.
  @Test
  void leavesOtherValuesAsTheyAre() {
    var number = ObjectValue.of("k", Value.of(7));
    assertThat(apply("k", "upper", number)).isEqualTo(number);
    assertThat(apply("k", "mask", number)).isEqualTo(object("k", "***"));
  }

  /// P6: the `*` of the pattern is carried over.
  @Test
  void renamesKeys() {
    assertThat(apply("a.*", "rename('to.*')", object("a.x", "1", "a.y.z", "2", "b", "3")))
        .isEqualTo(object("to.x", "1", "to.y.z", "2", "b", "3"));
  }

  /// P6: whoever is renamed to a key that is there replaces it, whatever the order of keys.
  @Test
  void replacesWhatHasTheNewKey() {
    assertThat(apply("a.*", "rename('b.*')", object("a.x", "new", "b.x", "old")))
        .isEqualTo(object("b.x", "new"));
    assertThat(apply("z.*", "rename('b.*')", object("z.x", "new", "b.x", "old")))
        .isEqualTo(object("b.x", "new"));
    assertThat(apply("a.*", "rename('a.a.*')", object("a.x", "1", "a.a.x", "2")))
        .isEqualTo(object("a.a.x", "1", "a.a.a.x", "2"));
  }

  /// P6
  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "upper(",
        "upper)",
        "upper(1)",
        "truncate",
        "truncate('x')",
        "truncate(-1)",
        "prefix(1)",
        "constant(a)",
        "constant(1 + 1)",
        "upper; lower",
        "rename()",
        "1upper",
        "constant('a'",
        "constant(1,)",
        "constant(99999999999999999999)",
        "unknown"
      })
  void refusesWhatIsNoCallOfATransform(String call) {
    assertThatThrownBy(() -> Transforms.BUILT_IN.call(call))
        .isInstanceOf(IllegalArgumentException.class);
  }

  /// P6: users register their own in Java, with arguments they check.
  @Test
  void callsRegisteredTransforms() {
    var transforms = Transforms.with(Map.of("repeat", new Repeat()));
    var call = (TransformCall.OfValue) transforms.call("repeat(3)");
    assertThat(call.apply(Value.of("ab"))).isEqualTo(Value.of("ababab"));
    assertThatThrownBy(() -> transforms.call("repeat")).hasMessageContaining("how often");
    assertThat(transforms.all().stream().map(Transforms.TransformDescription::name))
        .contains("repeat", "upper")
        .isSorted();
  }

  /// P6: one that returns nothing has failed; what it should have changed does not get through.
  @Test
  @SuppressWarnings("NullAway") // users' code is not checked for null
  void failsWhereATransformReturnsNull() {
    var call =
        (TransformCall.OfValue)
            Transforms.with(Map.of("forget", (ContextTransform) (_, _) -> null)).call("forget");
    assertThatThrownBy(() -> call.apply(Value.of("s3cret")))
        .isInstanceOf(ContextException.class)
        .hasMessageContaining("returned null")
        .hasMessageNotContaining("s3cret");
  }

  /// P6, P14: built-ins cannot be replaced.
  @Test
  void refusesToReplaceABuiltIn() {
    var upper = Map.of("upper", (ContextTransform) (value, _) -> value);
    assertThatThrownBy(() -> Transforms.with(upper)).hasMessageContaining("cannot be replaced");
    var spaced = Map.of("a b", (ContextTransform) (value, _) -> value);
    assertThatThrownBy(() -> Transforms.with(spaced)).hasMessageContaining("no name");
  }

  private static final class Repeat implements ContextTransform {
    @Override
    public Value apply(Value value, List<Value> arguments) {
      return value instanceof Value.Text(var text)
              && arguments.getFirst() instanceof Value.Int times
          ? Value.of(text.repeat((int) times.value()))
          : value;
    }

    @Override
    public Optional<String> refuse(List<Value> arguments) {
      return arguments.size() == 1 ? Optional.empty() : Optional.of("say how often");
    }
  }
}
