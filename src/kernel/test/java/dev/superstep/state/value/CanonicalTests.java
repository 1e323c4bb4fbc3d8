package dev.superstep.state.value;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.superstep.state.StateHash;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CanonicalTests {

  /// E46: keys by code point, shortest doubles, no spaces.
  @Test
  void writesValuesInOneFormOnly() {
    var value =
        ObjectValue.builder()
            .put("😀", Value.NULL)
            .put("\uFFFD", Value.TRUE)
            .put("b", ListValue.of(Value.of(1), Value.of(1.0), Value.of(-0.5), Value.of(1e100)))
            .put("a", Value.of("é\"\\/\n\u0001\u007f"))
            .put("", ListValue.of(ListValue.empty(), ObjectValue.empty(), Value.FALSE))
            .build();
    assertThat(Canonical.text(value))
        .isEqualTo(
            "{\"\":[[],{},false],\"a\":\"é\\\"\\\\/\\n\\u0001\u007f\","
                + "\"b\":[1,1.0,-0.5,1.0E100],\"\uFFFD\":true,\"😀\":null}");
  }

  @ParameterizedTest
  @ValueSource(longs = {0, 9, 10, -1, -9, -10, 99, 100, Long.MAX_VALUE, Long.MIN_VALUE})
  void writesAndMeasuresIntegers(long number) {
    assertThat(Canonical.text(Value.of(number))).isEqualTo(Long.toString(number));
    assertThat(Canonical.size(Value.of(number))).isEqualTo(Long.toString(number).length());
  }

  /// E15, E46: the size is that of the bytes, the bytes are UTF-8.
  @ParameterizedTest(name = "seed {0}")
  @ValueSource(longs = {1, 2, 3, 4, 5})
  void knowsTheSizeWithoutWriting(long seed) {
    var random = new RandomValues(seed);
    for (int round = 0; round < 2000; round++) {
      var value = random.value(4);
      var bytes = Canonical.bytes(value);
      assertThat(Canonical.size(value))
          .as("seed %d, round %d: %s", seed, round, value)
          .isEqualTo(bytes.length);
      assertThat(new String(bytes, StandardCharsets.UTF_8).getBytes(StandardCharsets.UTF_8))
          .isEqualTo(bytes);
    }
  }

  /// Half a surrogate pair has no UTF-8: it is escaped, so that different strings stay different.
  @Test
  void escapesHalfSurrogatePairs() {
    assertThat(Canonical.text(Value.of("\uD83Dx"))).isEqualTo("\"\\ud83dx\"");
    assertThat(Canonical.text(Value.of("\uDE00\uD83D"))).isEqualTo("\"\\ude00\\ud83d\"");
    assertThat(Canonical.text(Value.of("\uD83D\uDE00"))).isEqualTo("\"😀\"");
  }

  @Test
  void refusesWhatIsNestedTooDeepInsteadOfOverflowing() {
    Value deep = Value.of(1);
    for (int i = 0; i < Canonical.DEPTH_MAX; i++) {
      deep = i % 2 == 0 ? ListValue.of(deep) : ObjectValue.of("k", deep);
    }
    var deepest = deep;
    assertThat(Canonical.size(deepest)).isEqualTo(Canonical.bytes(deepest).length);
    var tooDeep = ListValue.of(deepest);
    assertThatThrownBy(() -> Canonical.bytes(tooDeep)).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> StateHash.of(tooDeep)).isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void ordersKeysLikeTheirUtf8Bytes() {
    var random = new RandomValues(42);
    for (int round = 0; round < 5000; round++) {
      var left = random.string().replaceAll("[\\x{D800}-\\x{DFFF}]", "") + random.below(3);
      var right = random.string().replaceAll("[\\x{D800}-\\x{DFFF}]", "") + random.below(3);
      assertThat(Integer.signum(Canonical.KEYS.compare(left, right)))
          .as("%s and %s", left, right)
          .isEqualTo(
              Integer.signum(
                  Arrays.compareUnsigned(
                      left.getBytes(StandardCharsets.UTF_8),
                      right.getBytes(StandardCharsets.UTF_8))));
    }
  }
}
