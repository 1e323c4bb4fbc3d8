package dev.superstep.engine.run;

import java.math.BigDecimal;

/// What calls of models cost, by the prices that were in force when they were answered.
///
/// @param calls whose cost is known, and part of the amount
/// @param amount exact, in the unit of the prices
public record Cost(long calls, BigDecimal amount) {
  public static final Cost NOTHING = new Cost(0, BigDecimal.ZERO);

  /// Equal amounts are equal objects, whatever decimals their prices were written with.
  public Cost {
    amount = amount.signum() == 0 ? BigDecimal.ZERO : amount.stripTrailingZeros();
  }

  public Cost plus(Cost other) {
    return other.isNothing() ? this : new Cost(calls + other.calls, amount.add(other.amount));
  }

  Cost beyond(Cost counted) {
    return new Cost(
        Math.max(0, calls - counted.calls), amount.subtract(counted.amount).max(BigDecimal.ZERO));
  }

  public boolean isNothing() {
    return calls == 0 && amount.signum() == 0;
  }

  /// In decimals, never with an exponent.
  public String text() {
    return amount.toPlainString();
  }
}
