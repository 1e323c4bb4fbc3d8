package dev.superstep.model;

import dev.superstep.model.ModelAnswer.Usage;
import java.math.BigDecimal;
import java.util.Optional;

/// What a model costs, per million tokens. All arithmetic is exact.
///
/// @param cachedInput of tokens that the provider has read from its cache
/// @param cacheWrite of tokens that the provider has written into its cache
public record ModelPrices(
    BigDecimal input, BigDecimal output, BigDecimal cachedInput, BigDecimal cacheWrite) {
  private static final int PER_DIGITS = 6;

  /// The most that a call can cost with so many tokens.
  public BigDecimal mostFor(long inputTokens, long outputTokens) {
    return input
        .max(cachedInput)
        .max(cacheWrite)
        .multiply(BigDecimal.valueOf(inputTokens))
        .add(output.multiply(BigDecimal.valueOf(outputTokens)))
        .movePointLeft(PER_DIGITS);
  }

  /// The cost of an answer; empty if its provider reports no tokens: it is not known then.
  public Optional<BigDecimal> costOf(Usage usage) {
    if (usage.total() == 0) {
      return Optional.empty();
    }
    var cached = usage.cached();
    return Optional.of(
        input
            .multiply(BigDecimal.valueOf(usage.input() - cached.total()))
            .add(cachedInput.multiply(BigDecimal.valueOf(cached.read())))
            .add(cacheWrite.multiply(BigDecimal.valueOf(cached.written())))
            .add(output.multiply(BigDecimal.valueOf(usage.output())))
            .movePointLeft(PER_DIGITS));
  }
}
