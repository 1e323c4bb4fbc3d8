package dev.superstep.budget;

import dev.superstep.budget.Budget.Account;
import dev.superstep.budget.BudgetRows.Draw;
import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/// What was spent of an amount in the window that is open.
///
/// @param tokensReserved by calls under way, and by those of which it is not known what they took
/// @param moneyReserved as with tokens
public record BudgetState(
    Account account,
    long modelCalls,
    long tokens,
    long tokensReserved,
    BigDecimal money,
    BigDecimal moneyReserved,
    Instant renewsAt,
    Duration renewsIn) {

  /// What a budget limits, and how far it is used up.
  ///
  /// @param reserved in addition to `spent`
  public record Used(String what, BigDecimal limit, BigDecimal spent, BigDecimal reserved) {
    /// What neither was spent nor is reserved.
    public BigDecimal left() {
      return limit.subtract(spent).subtract(reserved).max(BigDecimal.ZERO);
    }

    boolean isUsedUp() {
      return spent.add(reserved).compareTo(limit) >= 0;
    }

    boolean lacks(BigDecimal draw) {
      return spent.add(reserved).add(draw).compareTo(limit) > 0;
    }

    boolean lacksSettled(BigDecimal draw) {
      return spent.add(draw).compareTo(limit) > 0;
    }
  }

  private Optional<Used> usedCalls() {
    return account
        .budget()
        .limits()
        .modelCalls()
        .map(it ->
            new Used(
                "model_calls",
                BigDecimal.valueOf(it),
                BigDecimal.valueOf(modelCalls),
                BigDecimal.ZERO));
  }

  private Optional<Used> usedTokens() {
    return account
        .budget()
        .limits()
        .tokens()
        .map(it ->
            new Used(
                "tokens",
                BigDecimal.valueOf(it),
                BigDecimal.valueOf(tokens),
                BigDecimal.valueOf(tokensReserved)));
  }

  private Optional<Used> usedMoney() {
    return account.budget().limits().money().map(it -> new Used("money", it, money, moneyReserved));
  }

  /// What is limited.
  public List<Used> used() {
    return Stream.of(usedCalls(), usedTokens(), usedMoney()).flatMap(Optional::stream).toList();
  }

  /// What of it is used up.
  public Optional<Used> usedUp() {
    return usedCalls()
        .filter(Used::isUsedUp)
        .or(() -> usedTokens().filter(Used::isUsedUp))
        .or(() -> usedMoney().filter(Used::isUsedUp));
  }

  /// What does not suffice for a call; empty if there is enough by now.
  Optional<Used> lacking(Draw draw) {
    return usedCalls()
        .filter(it -> it.lacks(BigDecimal.ONE))
        .or(() -> usedTokens().filter(it -> it.lacks(BigDecimal.valueOf(draw.tokens()))))
        .or(() -> usedMoney().filter(it -> it.lacks(draw.money())));
  }

  /// Whether a call would fit if all that is reserved were given back.
  boolean maySuffice(Draw draw) {
    return usedCalls().filter(it -> it.lacksSettled(BigDecimal.ONE)).isEmpty()
        && usedTokens().filter(it -> it.lacksSettled(BigDecimal.valueOf(draw.tokens()))).isEmpty()
        && usedMoney().filter(it -> it.lacksSettled(draw.money())).isEmpty();
  }
}
