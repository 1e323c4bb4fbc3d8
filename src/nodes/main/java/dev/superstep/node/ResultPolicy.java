package dev.superstep.node;

import dev.superstep.graph.DispatchPolicy;
import dev.superstep.graph.UncheckedValue;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.state.value.Value;
import java.math.BigDecimal;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Reads the `dispatch_policy` of a node result, which is that of a node, computed (E54).
final class ResultPolicy {
  static final String KEY = "dispatch_policy";

  private static final String LEAST = "min_succeeded";
  private static final String FIRST = "first_wins";
  private static final String TOLERATED = "tolerated_failures";
  private static final String MOST = "max_concurrency";
  private static final Set<String> KEYS = Set.of(LEAST, FIRST, TOLERATED, MOST);

  /// As in definitions.
  private static final long NUMBER_MAX = 1_000_000;

  private ResultPolicy() {}

  /// @return null: there is none, and that of the node holds
  static @Nullable DispatchPolicy read(UncheckedValue policy) {
    if (policy.isAbsent()) {
      return null;
    }
    if (!(policy.value() instanceof ObjectValue)) {
      ResultValues.refuse(
          policy.at(), "must be an object like {min_succeeded}; got " + policy.typeName());
      return null;
    }
    ResultValues.refuseOthers(policy, KEYS);
    boolean firstWins = isTrue(policy.key(FIRST));
    if (firstWins && !policy.key(LEAST).isAbsent()) {
      ResultValues.refuse(
          policy.key(FIRST).at(), "is min_succeeded: 1, and there is a min_succeeded besides");
    }
    return new DispatchPolicy(
        firstWins ? 1 : count(policy.key(LEAST)),
        tolerated(policy.key(TOLERATED)),
        count(policy.key(MOST)));
  }

  private static boolean isTrue(UncheckedValue flag) {
    if (flag.isAbsent()) {
      return false;
    }
    if (flag.value() instanceof Value.Bool(var given)) {
      return given;
    }
    ResultValues.refuse(flag.at(), "must be true or false; got " + flag.typeName());
    return false;
  }

  private static int count(UncheckedValue number) {
    if (number.isAbsent()) {
      return 0;
    }
    var given = number(number.value());
    if (given.filter(it -> isWhole(it) && it.signum() > 0).isEmpty()) {
      ResultValues.refuse(number.at(), "must be a whole number from 1 to %d".formatted(NUMBER_MAX));
      return 0;
    }
    return given.get().intValue();
  }

  private static Optional<BigDecimal> tolerated(UncheckedValue number) {
    if (number.isAbsent()) {
      return Optional.empty();
    }
    var given = number(number.value());
    if (given.filter(it -> it.compareTo(BigDecimal.ONE) < 0 || isWhole(it)).isEmpty()) {
      ResultValues.refuse(
          number.at(),
          "must be a whole number from 0 to %d, or a share of the dispatches below 1"
              .formatted(NUMBER_MAX));
      return Optional.empty();
    }
    return given;
  }

  /// Whole numbers that a division has made count as such.
  private static boolean isWhole(BigDecimal number) {
    return number.stripTrailingZeros().scale() <= 0;
  }

  /// @return empty: it is none, or out of bounds
  private static Optional<BigDecimal> number(@Nullable Value value) {
    var number =
        switch (value) {
          case Value.Int(var whole) -> Optional.of(BigDecimal.valueOf(whole));
          case Value.Real(var real) when Double.isFinite(real) ->
              Optional.of(BigDecimal.valueOf(real));
          case null, default -> Optional.<BigDecimal>empty();
        };
    return number.filter(
        it -> it.signum() >= 0 && it.compareTo(BigDecimal.valueOf(NUMBER_MAX)) <= 0);
  }
}
