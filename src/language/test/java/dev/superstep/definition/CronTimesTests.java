package dev.superstep.definition;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class CronTimesTests {
  private static final ZoneId ZURICH = ZoneId.of("Europe/Zurich");

  private static CronTimes zurich(String cron) {
    return CronTimes.of(cron, ZURICH);
  }

  private static Instant at(String local) {
    return LocalDateTime.parse(local).atZone(ZURICH).toInstant();
  }

  @ParameterizedTest
  @CsvSource(
      quoteCharacter = '"',
      value = {
        "0 6 * * *, 2026-01-10T06:00:00",
        "*/15 * * * *, 2026-01-09T12:15:00",
        "0 6 * * MON-FRI, 2026-01-12T06:00:00",
        "0 6 * * 0, 2026-01-11T06:00:00",
        "0 6 * * 7, 2026-01-11T06:00:00",
        "30 0 6 1 * *, 2026-02-01T06:00:30",
        "@daily, 2026-01-10T00:00:00",
        "0 0 L * *, 2026-01-31T00:00:00"
      })
  void readsWhatPeopleWrite(String cron, String next) {
    assertThat(zurich(cron).next(at("2026-01-09T12:00:00"))).contains(at(next));
  }

  @Test
  void takesEitherDayWhereBothAreNamed() {
    var times = zurich("0 6 13 * FRI").next(at("2026-03-01T00:00:00"), 4);

    assertThat(times)
        .containsExactly(
            at("2026-03-06T06:00:00"),
            at("2026-03-13T06:00:00"),
            at("2026-03-20T06:00:00"),
            at("2026-03-27T06:00:00"));
    assertThat(zurich("0 6 15 * FRI").next(at("2026-03-13T12:00:00")))
        .contains(at("2026-03-15T06:00:00"));
  }

  @Test
  void startsOnceAfterTheGapWhereClocksArePutForward() {
    var times = zurich("30 2 * * *").next(at("2026-03-28T12:00:00"), 2);

    assertThat(times)
        .containsExactly(Instant.parse("2026-03-29T01:30:00Z"), at("2026-03-30T02:30:00"));
    assertThat(zurich("30 2,3 * * *").next(at("2026-03-28T12:00:00"), 2))
        .as("half past two is half past three")
        .containsExactly(Instant.parse("2026-03-29T01:30:00Z"), at("2026-03-30T02:30:00"));
  }

  @Test
  void leavesOutNoDayWhereClocksArePutForwardAtMidnight() {
    var cairo = ZoneId.of("Africa/Cairo");
    var before = LocalDateTime.parse("2026-04-23T12:00:00").atZone(cairo).toInstant();
    for (var cron : new String[] {"@daily", "0 0 * * *"}) {
      assertThat(CronTimes.of(cron, cairo).next(before))
          .contains(LocalDateTime.parse("2026-04-24T01:00:00").atZone(cairo).toInstant());
    }
  }

  @Test
  void startsOnceWhereClocksArePutBack() {
    var times = zurich("30 2 * * *").next(at("2026-10-24T12:00:00"), 2);

    assertThat(times)
        .containsExactly(
            Instant.parse("2026-10-25T00:30:00Z"), Instant.parse("2026-10-26T01:30:00Z"));
    assertThat(zurich("50 2 * * *").next(Instant.parse("2026-10-25T01:40:00Z")))
        .as("asked in the second hour of two")
        .contains(Instant.parse("2026-10-26T01:50:00Z"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"2026-03-28T23:00:00Z", "2026-10-24T22:00:00Z"})
  void goesByTheTimeThatPassesWhereEveryHourIsMeant(String midnight) {
    var times = zurich("*/30 * * * *").next(Instant.parse(midnight), 12);

    assertThat(times.getLast()).isEqualTo(Instant.parse(midnight).plus(Duration.ofHours(6)));
    assertThat(times).doesNotHaveDuplicates();
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "* * *", "61 * * * *", "0 0 30 2 *", "every day", "* * * * * * *"})
  void refusesWhatNamesNoTime(String cron) {
    assertThatIllegalArgumentException().isThrownBy(() -> zurich(cron));
  }

  @Test
  void refusesWhatIsNoZone() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> CronTimes.zone("Europe/Atlantis"))
        .withMessageContaining("Europe/Zurich");
  }

  @Test
  void knowsItsShortestDistance() {
    assertThat(zurich("0,1 0 * * *").shortest(at("2026-01-01T00:00:00"), 10))
        .contains(Duration.ofMinutes(1));
  }
}
