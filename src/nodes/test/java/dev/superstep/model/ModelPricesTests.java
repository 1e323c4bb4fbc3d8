package dev.superstep.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.superstep.engine.run.CachedInput;
import dev.superstep.model.ModelAnswer.Usage;
import dev.superstep.model.ModelSettings.PriceSettings;
import dev.superstep.problem.InvalidSettingException;
import java.math.BigDecimal;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class ModelPricesTests {
  private static final BigDecimal ONE = new BigDecimal("0.10");

  @Test
  void takesTokensTimesPriceWithoutRounding() {
    var prices = new ModelPrices(ONE, new BigDecimal("0.2"), ONE, ONE);

    assertThat(prices.costOf(new Usage(1, 1))).contains(new BigDecimal("0.00000030"));
    assertThat(prices.costOf(new Usage(9_999_999, 3))).contains(new BigDecimal("1.00000050"));
  }

  @Test
  void countsWhatTheProviderHasInItsCacheAtThosePricesOnly() {
    var prices =
        new ModelPrices(
            new BigDecimal("4"), BigDecimal.ZERO, new BigDecimal("1"), new BigDecimal("5"));

    assertThat(prices.costOf(new Usage(10, 5, new CachedInput(8, 0))))
        .contains(new BigDecimal("0.000016"));
    assertThat(prices.costOf(new Usage(10, 5, new CachedInput(6, 3))))
        .contains(new BigDecimal("0.000025"));
  }

  /// What is written into a cache may cost more than other input.
  @Test
  void takesTheDearestInputForTheMostThatACallCosts() {
    var prices = new ModelPrices(ONE, BigDecimal.TWO, BigDecimal.ZERO, new BigDecimal("0.125"));

    assertThat(prices.mostFor(1_000_000, 1_000_000)).isEqualByComparingTo("2.125");
  }

  @Test
  void doesNotKnowTheCostOfAnAnswerWithoutTokens() {
    assertThat(new ModelPrices(ONE, ONE, ONE, ONE).costOf(Usage.NOTHING)).isEmpty();
  }

  private static ModelPrices prices(
      Provider provider, @Nullable BigDecimal cachedInput, @Nullable BigDecimal cacheWrite) {
    return new PriceSettings(ONE, BigDecimal.TEN, cachedInput, cacheWrite).read("p", provider);
  }

  @Test
  void takesThePriceOfInputForWhatIsCachedUnlessItHasOneOfItsOwn() {
    assertThat(prices(Provider.OPENAI, null, null).cachedInput()).isEqualTo(ONE);
    assertThat(prices(Provider.OPENAI, BigDecimal.TWO, null).cachedInput())
        .isEqualTo(BigDecimal.TWO);
  }

  /// Those that name such tokens take a quarter more.
  @Test
  void takesWhatTheProviderDoesForWritingIntoItsCacheUnlessItHasAPriceOfItsOwn() {
    assertThat(prices(Provider.OLLAMA, null, null).cacheWrite()).isEqualByComparingTo(ONE);
    assertThat(prices(Provider.OPENAI, null, null).cacheWrite()).isEqualByComparingTo("0.125");
    assertThat(prices(Provider.ANTHROPIC, null, null).cacheWrite()).isEqualByComparingTo("0.125");
    assertThat(prices(Provider.ANTHROPIC, null, BigDecimal.TWO).cacheWrite())
        .isEqualTo(BigDecimal.TWO);
  }

  @Test
  void refusesOnePriceWithoutTheOther() {
    assertThatThrownBy(() -> new PriceSettings(ONE, null, null, null).read("p", Provider.OPENAI))
        .isInstanceOf(InvalidSettingException.class)
        .hasMessageContaining("p.output");
    assertThatThrownBy(() -> new PriceSettings(null, ONE, ONE, ONE).read("p", Provider.OPENAI))
        .isInstanceOf(InvalidSettingException.class)
        .hasMessageContaining("p.input");
  }
}
