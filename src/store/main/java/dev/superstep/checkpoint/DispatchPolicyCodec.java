package dev.superstep.checkpoint;

import dev.superstep.graph.DispatchPolicy;
import dev.superstep.state.value.Value;
import java.math.BigDecimal;
import java.util.Optional;

/// Writes and reads policies that tasks have given for what they dispatch.
final class DispatchPolicyCodec {
  private DispatchPolicyCodec() {}

  static Value write(DispatchPolicy policy) {
    return new ObjectWriter()
        .unless(0, "least", policy.minSucceeded())
        .unlessNull(
            "tolerated", policy.toleratedFailures().map(BigDecimal::toPlainString).orElse(null))
        .unless(0, "most", policy.maxConcurrency())
        .value();
  }

  static DispatchPolicy read(Value value) {
    var in = StoredObject.reader(value);
    return new DispatchPolicy(
        (int) in.integerOr(0, "least"),
        Optional.ofNullable(in.textOrNull("tolerated")).map(BigDecimal::new),
        (int) in.integerOr(0, "most"));
  }
}
