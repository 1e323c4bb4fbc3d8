package dev.superstep.transport;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RetryAfterTests {
  private static final Instant NOW = Instant.parse("2026-01-31T08:00:00Z");

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          120                            | PT2M
          ' 7 '                          | PT7S
          Sat, 31 Jan 2026 08:00:30 GMT  | PT30S
          1.5                            | PT1.5S
          0.0001                         | PT0.001S
          999999                         | PT1H
          999999999999999999             | PT1H
          """)
  void readsSecondsAndDates(String header, Duration pause) {
    assertThat(RetryAfter.parse(header, NOW, Duration.ofHours(1))).contains(pause);
  }

  /// The clock of this machine has no part in it.
  @Test
  void understandsADateByTheClockOfTheServer() {
    var pause = "Sat, 31 Jan 2026 08:00:30 GMT";
    var date = "Sat, 31 Jan 2026 08:00:10 GMT";
    var max = Duration.ofHours(1);

    assertThat(RetryAfter.parse(pause, date, max)).contains(Duration.ofSeconds(20));
    assertThat(RetryAfter.parse(pause, "", max)).isEmpty();
    assertThat(RetryAfter.parse("3", "", max)).contains(Duration.ofSeconds(3));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "soon", "-1", "1.", "0", "Sat, 31 Jan 2026 07:00:00 GMT"})
  void ignoresWhatItCannotReadOrWhatIsPast(String header) {
    assertThat(RetryAfter.parse(header, NOW, Duration.ofHours(1))).isEmpty();
  }
}
