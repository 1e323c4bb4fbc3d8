package dev.superstep.state.value;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/// Values from a seed, with all that is nasty about JSON.
public final class RandomValues {
  private static final String[] STRINGS = {
    "",
    "a",
    "B",
    "ab",
    "é",
    "漢字",
    "\uE000",
    "\uFFFD",
    "😀",
    "𝄞x",
    "\u0000",
    "\u001f",
    "\u007f",
    "\"",
    "\\",
    "/",
    "\n\r\t\b\f",
    "\u2028",
    "\uD83D",
    "x\uDE00y",
    "__proto__",
    "{{ x }}"
  };
  private static final double[] DOUBLES = {
    0.0, -0.0, 1.0, 0.1, 1e10, 1e-10, Double.MAX_VALUE, Double.MIN_VALUE, 123456789.125, 1e21
  };
  private final Random random;

  public RandomValues(long seed) {
    random = new Random(seed);
  }

  public int below(int bound) {
    return random.nextInt(bound);
  }

  Value value() {
    return value(3);
  }

  public Value value(int depth) {
    return switch (random.nextInt(depth == 0 ? 5 : 8)) {
      case 0 -> Value.NULL;
      case 1 -> Value.of(random.nextBoolean());
      case 2 -> Value.of(random.nextBoolean() ? random.nextLong() : random.nextInt(20) - 10);
      case 3 ->
          Value.of(
              random.nextBoolean() ? DOUBLES[below(DOUBLES.length)] : random.nextGaussian() * 1e6);
      case 4, 5 -> Value.of(string());
      case 6 -> list(below(6), depth - 1);
      default -> object(below(6), depth - 1);
    };
  }

  public ListValue list(int size, int depth) {
    List<Value> items = new ArrayList<>();
    for (int i = 0; i < size; i++) {
      items.add(value(depth));
    }
    return ListValue.of(items);
  }

  ObjectValue object(int size, int depth) {
    var members = ObjectValue.builder();
    for (int i = 0; i < size; i++) {
      members.put(string(), value(depth));
    }
    return members.build();
  }

  String string() {
    var text = STRINGS[below(STRINGS.length)];
    return random.nextInt(4) == 0 ? text + random.nextInt(1000) : text;
  }
}
