package dev.superstep.state;

import static dev.superstep.state.StateFixtures.ints;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.superstep.state.value.ListValue;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.state.value.Value;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class ReducerTests {
  private static final Value ONE = Value.of(1);
  private static final Reducer SUM = new Reducer.Sum();
  private static final Reducer MIN = new Reducer.Min();
  private static final Reducer MAX = new Reducer.Max();

  /// E16
  @Test
  void keepsTheLastOrTheFirstValue() {
    assertThat(reduce(new Reducer.LastValue(), ONE, Value.NULL)).isEqualTo(Value.NULL);
    assertThat(reduce(new Reducer.FirstValue(), ONE, Value.NULL)).isEqualTo(ONE);
    assertThat(reduce(new Reducer.FirstValue(), null, ONE)).isEqualTo(ONE);
  }

  /// E18: null is a present value.
  @Test
  void takesNullForAValue() {
    assertThat(reduce(new Reducer.FirstValue(), Value.NULL, ONE)).isEqualTo(Value.NULL);
    assertThatThrownBy(() -> reduce(SUM, Value.NULL, ONE)).isInstanceOf(ReduceException.class);
    assertThatThrownBy(() -> reduce(new Reducer.Append(), Value.NULL, ONE))
        .isInstanceOf(ReduceException.class)
        .hasMessage("the channel holds null, no array");
  }

  /// E17: `append` takes an item or a list, `block_append` a list only.
  @Test
  void appendsItemsAndBlocks() {
    assertThat(reduce(new Reducer.Append(), ints(1), Value.of(2))).isEqualTo(ints(1, 2));
    assertThat(reduce(new Reducer.Append(), ints(1), ints(2, 3))).isEqualTo(ints(1, 2, 3));
    assertThat(reduce(new Reducer.BlockAppend(), ints(1), ints(2, 3))).isEqualTo(ints(1, 2, 3));
    assertThatThrownBy(() -> reduce(new Reducer.BlockAppend(), ints(1), Value.of(2)))
        .isInstanceOf(ReduceException.class)
        .hasMessage("block_append takes an array, not an integer");
  }

  /// E18: these start from their neutral element, so that a wrong type is found at the first
  /// update.
  @Test
  void startsFromTheNeutralElement() {
    assertThat(reduce(new Reducer.Append(), null, ONE)).isEqualTo(ints(1));
    assertThat(reduce(new Reducer.BlockAppend(), null, ints())).isEqualTo(ints());
    assertThat(reduce(new Reducer.Union(), null, ints(2, 1, 2))).isEqualTo(ints(1, 2));
    assertThat(reduce(SUM, null, Value.of(1.5))).isEqualTo(Value.of(1.5));
    assertThat(reduce(new Reducer.Merge(), null, ObjectValue.empty()))
        .isEqualTo(ObjectValue.empty());
    assertThat(reduce(MIN, null, ONE)).isEqualTo(ONE);
  }

  static Stream<Reducer> typed() {
    return Stream.of(
        new Reducer.BlockAppend(),
        new Reducer.Messages(),
        new Reducer.Merge(),
        new Reducer.DeepMerge(),
        SUM,
        MIN,
        MAX,
        new Reducer.Union());
  }

  /// E18, E20: type-checked, with or without a value in the channel.
  @ParameterizedTest
  @MethodSource("typed")
  void refusesTheWrongType(Reducer reducer) {
    assertThatThrownBy(() -> reduce(reducer, null, Value.TRUE))
        .isInstanceOf(ReduceException.class)
        .hasMessageContaining("boolean");
    assertThatThrownBy(() -> reduce(reducer, null, Value.NULL))
        .isInstanceOf(ReduceException.class)
        .hasMessageContaining("null");
  }

  /// E16: shallow and deep.
  @Test
  void mergesObjects() {
    var left = ObjectValue.of("a", ObjectValue.of("x", ONE)).plus("b", ONE);
    var right = ObjectValue.of("a", ObjectValue.of("y", ONE));
    assertThat(reduce(new Reducer.Merge(), left, right)).isEqualTo(right.plus("b", ONE));
    assertThat(reduce(new Reducer.DeepMerge(), left, right))
        .isEqualTo(ObjectValue.of("a", ObjectValue.of("x", ONE).plus("y", ONE)).plus("b", ONE));
    assertThat(reduce(new Reducer.DeepMerge(), left, ObjectValue.of("a", ints(1))))
        .isEqualTo(ObjectValue.of("a", ints(1)).plus("b", ONE));
  }

  /// S1-9: the later value of a key wins, other keys are united.
  @Test
  void mergesLikeTheSeedsStates() {
    var first = ObjectValue.of("a", ONE).plus("b", ONE);
    var second = ObjectValue.of("b", Value.of(2)).plus("c", Value.of(3));
    assertThat(reduce(new Reducer.Merge(), first, second)).hasToString("{\"a\":1,\"b\":2,\"c\":3}");
  }

  /// E16
  @Test
  void sumsIntegersExactlyAndMixedNumbersAsDoubles() {
    assertThat(reduce(SUM, Value.of(Long.MAX_VALUE - 1), ONE)).isEqualTo(Value.of(Long.MAX_VALUE));
    assertThat(reduce(SUM, ONE, Value.of(0.5))).isEqualTo(Value.of(1.5));
    assertThat(reduce(SUM, Value.of(0.5), ONE)).isEqualTo(Value.of(1.5));
    assertThatThrownBy(() -> reduce(SUM, Value.of(Long.MAX_VALUE), ONE))
        .isInstanceOf(ReduceException.class)
        .hasMessageContaining("64-bit");
    assertThatThrownBy(() -> reduce(SUM, Value.of(1e308), Value.of(1e308)))
        .isInstanceOf(ReduceException.class);
  }

  /// E16: by exact value; of equal ones the first stays.
  @Test
  void findsTheSmallestAndTheLargest() {
    assertThat(reduce(MIN, Value.of(3), Value.of(2.5))).isEqualTo(Value.of(2.5));
    assertThat(reduce(MAX, Value.of(3), Value.of(2.5))).isEqualTo(Value.of(3));
    assertThat(reduce(MAX, ONE, Value.of(1.0))).isEqualTo(ONE);
    assertThat(reduce(MAX, Value.of((double) (1L << 53)), Value.of((1L << 53) + 1)))
        .isEqualTo(Value.of((1L << 53) + 1));
    assertThat(reduce(MIN, Value.of("b"), Value.of("a"))).isEqualTo(Value.of("a"));
    assertThat(reduce(MAX, Value.of("\uFFFD"), Value.of("😀"))).isEqualTo(Value.of("😀"));
    assertThatThrownBy(() -> reduce(MIN, Value.of("b"), ONE))
        .isInstanceOf(ReduceException.class)
        .hasMessage("an integer cannot be compared with a string, which the channel holds");
  }

  /// E16, E46: each value once, scalars sorted, 1 and 1.0 different.
  @Test
  void unitesSets() {
    var left = ListValue.of(Value.of("b"), ints(2), Value.of(1.0), Value.TRUE);
    var right =
        ListValue.of(ints(1), Value.of("a"), ONE, Value.NULL, ints(2), Value.of("b"), Value.FALSE);
    assertThat(reduce(new Reducer.Union(), left, right))
        .hasToString("[null,false,true,1,1.0,\"a\",\"b\",[2],[1]]");
  }

  /// E19: left is what has accumulated, right what comes in. E18: without a value nothing is
  /// called.
  @Test
  void callsTheUsersMergeWithLeftAndRight() {
    var custom = new Reducer.Custom("pair", (left, right) -> ListValue.of(left, right));
    assertThat(reduce(custom, ONE, Value.of(2))).isEqualTo(ints(1, 2));
    assertThat(reduce(custom, null, Value.of(2))).isEqualTo(Value.of(2));
    assertThat(reduce(custom, Value.NULL, ONE)).isEqualTo(ListValue.of(Value.NULL, ONE));
  }

  /// E20
  @Test
  void turnsWhateverAUsersMergeThrowsIntoAFailure() {
    var broken =
        new Reducer.Custom(
            "broken",
            (_, _) -> {
              throw new IllegalStateException("no luck");
            });
    assertThatThrownBy(() -> reduce(broken, ONE, ONE))
        .isInstanceOf(ReduceException.class)
        .hasMessage("broken failed: no luck");
    var endless =
        new Reducer.Custom(
            "endless",
            (_, _) -> {
              throw new StackOverflowError();
            });
    assertThatThrownBy(() -> reduce(endless, ONE, ONE)).isInstanceOf(ReduceException.class);
  }

  @Test
  void refusesAMergeThatNestsDeeperEveryTime() {
    var nesting = new Reducer.Custom("nesting", (left, _) -> ListValue.of(left));
    Value value = ONE;
    for (int i = 0; i < 200; i++) {
      value = reduce(nesting, value, ONE);
    }
    var deepest = value;
    assertThatThrownBy(() -> reduce(nesting, deepest, ONE))
        .isInstanceOf(ReduceException.class)
        .hasMessageContaining("200 levels");
  }

  private static Value reduce(Reducer reducer, @Nullable Value current, Value update) {
    return reducer.reduce(current, update);
  }
}
