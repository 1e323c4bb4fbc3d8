package dev.superstep.engine.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.engine.checkpoint.ChildRef;
import dev.superstep.state.value.ObjectValue;
import java.math.BigDecimal;
import org.junit.jupiter.api.Test;

class CostTests {
  private static Usage usage(long calls, long priced, String amount) {
    return new Usage(calls, calls * 10, calls * 5, new Cost(priced, new BigDecimal(amount)));
  }

  @Test
  void addsExactly() {
    var sum = usage(1, 1, "0.1").plus(usage(1, 1, "0.2"));

    assertThat(sum.cost().text()).isEqualTo("0.3");
    assertThat(sum).isEqualTo(usage(2, 2, "0.3000"));
  }

  @Test
  void writesNoExponents() {
    assertThat(new Cost(1, new BigDecimal("1E+3")).text()).isEqualTo("1000");
    assertThat(new Cost(1, new BigDecimal("1E-12")).text()).isEqualTo("0.000000000001");
  }

  @Test
  void knowsACostOfNothingFromAnUnknownOne() {
    assertThat(new Cost(1, BigDecimal.ZERO).isNothing()).isFalse();
    assertThat(usage(2, 1, "0").unpricedCalls()).isEqualTo(1);
    assertThat(new Usage(2, 1, 1).unpricedCalls()).isEqualTo(2);
  }

  @Test
  void takesOverFromAChildOnlyWhatIsNew() {
    var counted =
        ChildRef.in(
                new ChildRef("child", 1, Usage.NOTHING)
                    .counting(usage(2, 1, "0.1"))
                    .keptIn(ObjectValue.empty()))
            .orElseThrow()
            .counted();

    assertThat(counted).isEqualTo(usage(2, 1, "0.1"));
    assertThat(usage(5, 3, "0.4").beyond(counted)).isEqualTo(usage(3, 2, "0.3"));
    assertThat(usage(1, 0, "0").beyond(counted)).isEqualTo(Usage.NOTHING);
  }

  @Test
  void takesOverOnlyWhatIsNewOfWhatWasCached() {
    var before = usage(2, 1, "0.1").with(new CachedInput(7, 2));
    var counted =
        ChildRef.in(
                new ChildRef("child", 1, Usage.NOTHING)
                    .counting(before)
                    .keptIn(ObjectValue.empty()))
            .orElseThrow()
            .counted();

    assertThat(counted).isEqualTo(before);
    var now = usage(3, 2, "0.2").with(new CachedInput(17, 3));
    assertThat(now.beyond(counted)).isEqualTo(usage(1, 1, "0.1").with(new CachedInput(10, 1)));
    assertThat(before.plus(now.beyond(counted))).isEqualTo(now);
    assertThat(new Usage(0, 0, 0).with(new CachedInput(1, 0)).isNothing()).isFalse();
  }
}
