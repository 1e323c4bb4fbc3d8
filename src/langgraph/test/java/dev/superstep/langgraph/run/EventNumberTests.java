package dev.superstep.langgraph.run;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class EventNumberTests {
  private static final long SAFE = 1L << 53;

  /// Of the history in which the database is, and of some before it.
  @ParameterizedTest
  @CsvSource({"1, 1, 32767", "2, 1, 4095", "2, 2, 4095", "9, 2, 7", "9, 9, 4095", "12, 5, 0"})
  void isReadAsItWasWritten(int now, int era, long ordinal) {
    for (var number :
        new EventNumber[] {
          EventNumber.before(era, ordinal, 3),
          new EventNumber(era, ordinal, 1_048_575, 16_382, EventNumber.LAST),
          EventNumber.behind(era, ordinal, 0)
        }) {
      long value = number.value().orElseThrow();

      assertThat(value).isLessThan(SAFE);
      assertThat(EventNumber.of(value, now)).isEqualTo(number);
    }
  }

  @Test
  void isNoneBeyondWhatClientsComputeWith() {
    assertThat(EventNumber.before(1, 32_768, 1).value()).isEmpty();
    assertThat(EventNumber.before(2, 4_096, 1).value()).isEmpty();
    assertThat(EventNumber.before(1, 1, 1 << 20).value()).isEmpty();
  }

  @Test
  void ascendsFromOneHistoryToTheNext() {
    long before = EventNumber.behind(1, 7, 900).value().orElseThrow();

    assertThat(EventNumber.before(2, 0, 1).value().orElseThrow()).isGreaterThan(before);
  }
}
