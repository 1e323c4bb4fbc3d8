package dev.superstep.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.superstep.model.ModelAnswer.Usage;
import dev.superstep.model.ModelSettings.PriceSettings;
import dev.superstep.problem.InvalidSettingException;
import java.math.BigDecimal;
import org.junit.jupiter.api.Test;

class ModelPricesTests {
  private static final BigDecimal ONE = new BigDecimal("0.10");

  @Test
  void takesTokensTimesPriceWithoutRounding() {
    var prices = new ModelPrices(ONE, new BigDecimal("0.2"), ONE);

    assertThat(prices.costOf(new Usage(1, 1))).contains(new BigDecimal("0.00000030"));
    assertThat(prices.costOf(new Usage(9_999_999, 3))).contains(new BigDecimal("1.00000050"));
  }

  @Test
  void countsWhatTheProviderHasReadFromItsCacheAtThatPriceOnly() {
    var prices = new ModelPrices(new BigDecimal("4"), BigDecimal.ZERO, new BigDecimal("1"));

    assertThat(prices.costOf(new Usage(10, 5, 8))).contains(new BigDecimal("0.000016"));
  }

  @Test
  void doesNotKnowTheCostOfAnAnswerWithoutTokens() {
    assertThat(new ModelPrices(ONE, ONE, ONE).costOf(Usage.NOTHING)).isEmpty();
  }

  @Test
  void takesThePriceOfInputForWhatIsCachedUnlessItHasOneOfItsOwn() {
    assertThat(new PriceSettings(ONE, BigDecimal.TEN, null).read("p").cachedInput()).isEqualTo(ONE);
    assertThat(new PriceSettings(ONE, BigDecimal.TEN, BigDecimal.TWO).read("p").cachedInput())
        .isEqualTo(BigDecimal.TWO);
  }

  @Test
  void refusesOnePriceWithoutTheOther() {
    assertThatThrownBy(() -> new PriceSettings(ONE, null, null).read("p"))
        .isInstanceOf(InvalidSettingException.class)
        .hasMessageContaining("p.output");
    assertThatThrownBy(() -> new PriceSettings(null, ONE, ONE).read("p"))
        .isInstanceOf(InvalidSettingException.class)
        .hasMessageContaining("p.input");
  }
}
