package dev.superstep.model;

import dev.superstep.model.ModelAnswer.Usage;
import java.math.BigDecimal;
import java.util.Optional;

/// What a model costs, per million tokens. All arithmetic is exact.
///
/// @param cachedInput of tokens that the provider has read from its cache
public record ModelPrices(BigDecimal input, BigDecimal output, BigDecimal cachedInput) {
  private static final int PER_DIGITS = 6;

  /// The most that a call can cost with so many tokens.
  public BigDecimal mostFor(long inputTokens, long outputTokens) {
    return input
        .max(cachedInput)
        .multiply(BigDecimal.valueOf(inputTokens))
        .add(output.multiply(BigDecimal.valueOf(outputTokens)))
        .movePointLeft(PER_DIGITS);
  }

  /// The cost of an answer; empty if its provider reports no tokens: it is not known then.
  public Optional<BigDecimal> costOf(Usage usage) {
    if (usage.total() == 0) {
      return Optional.empty();
    }
    return Optional.of(
        input
            .multiply(BigDecimal.valueOf(usage.input() - usage.cachedInput()))
            .add(cachedInput.multiply(BigDecimal.valueOf(usage.cachedInput())))
            .add(output.multiply(BigDecimal.valueOf(usage.output())))
            .movePointLeft(PER_DIGITS));
  }
}
