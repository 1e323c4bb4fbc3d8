package dev.superstep.state.value;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/// Work on large values keeps no carrier to itself: while all carriers do it, another virtual
/// thread runs.
class CarrierYieldTests {
  private static final int ITEMS = 300_000;

  private static ListValue numbers() {
    var list = ListValue.builder();
    for (int i = 0; i < ITEMS; i++) {
      list.add(Value.of(i));
    }
    return list.build();
  }

  @Test
  void letsOthersRunWhileALargeValueIsWritten() throws Exception {
    var value = numbers();
    Carriers.letOthersRunDuring(() -> assertThat(Canonical.bytes(value)).hasSizeGreaterThan(ITEMS));
  }

  @Test
  void letsOthersRunWhileALargeValueIsHashed() throws Exception {
    Carriers.letOthersRunDuring(() -> assertThat(new Hasher().hash(numbers(), 0)).hasSize(32));
  }
}
