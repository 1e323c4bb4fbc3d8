package dev.superstep.bench.function;

import dev.superstep.state.value.ObjectValue;
import dev.superstep.state.value.Value;

/// The values that the workloads are made of, the same in the kernel and in the service.
public final class Parts {
  private static final Value ASSISTANT = Value.of("assistant");

  private Parts() {}

  /// `{"role":"assistant","id":"m<i>","content":text(chars)}`.
  public static ObjectValue message(int number, int chars) {
    return ObjectValue.of("role", ASSISTANT)
        .plus("id", Value.of("m" + number))
        .plus("content", Value.of(Texts.text(chars)));
  }

  /// `{item, text(100)}`.
  public static ObjectValue finding(Value item) {
    return ObjectValue.of("item", item).plus("text", Value.of(Texts.text(100)));
  }
}
