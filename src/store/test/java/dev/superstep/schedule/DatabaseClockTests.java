package dev.superstep.schedule;

import static java.util.concurrent.TimeUnit.MILLISECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class DatabaseClockTests {
  private static final Instant BEGIN = Instant.parse("2026-11-26T12:00:00Z");

  private final AtomicLong nanos = new AtomicLong(-7);
  private Duration apart = Duration.ZERO;
  private final DatabaseClock clock = new DatabaseClock(this::there, nanos::get);

  private Instant there() {
    return BEGIN.plusNanos(nanos.get() + 7).plus(apart);
  }

  private void pass(long millis) {
    nanos.addAndGet(MILLISECONDS.toNanos(millis));
  }

  private void ask(long forth, long back) {
    long sent = clock.nanos();
    pass(forth);
    var there = there();
    pass(back);
    clock.adjust(sent, there);
  }

  @Test
  void goesOnByTheTimeThatHasPassedSinceItWasAsked() {
    pass(500);

    assertThat(clock.instant()).isEqualTo(BEGIN.plusMillis(500));
  }

  /// A machine without a free processor sends late, or reads late.
  @Test
  void isNotMovedByAnswersThatAreLate() {
    ask(2_500, 0);
    assertThat(clock.instant()).isEqualTo(there());

    ask(0, 2_500);
    assertThat(clock.instant()).isEqualTo(there());
  }

  @Test
  void isAsRightAsTheQuickestAnswerOfTheLastTime() {
    long seed = new Random().nextLong();
    var random = new Random(seed);
    for (int i = 0; i < 1_000; i++) {
      pass(500);
      ask(random.nextInt(i % 10 == 0 ? 2 : 3_000), random.nextInt(i % 10 == 0 ? 2 : 3_000));

      assertThat(clock.instant())
          .as("seed %d", seed)
          .isCloseTo(there(), within(20, ChronoUnit.MILLIS));
    }
  }

  @Test
  void prefersAnAnswerThatIsQuicker() {
    var first = new DatabaseClock(this::late, nanos::get);
    assertThat(first.instant()).isNotEqualTo(there());

    long sent = first.nanos();
    first.adjust(sent, there());

    assertThat(first.instant()).isEqualTo(there());
  }

  private Instant late() {
    pass(1_000);
    return there();
  }

  /// Another server has another clock.
  @Test
  void followsAClockThatHasBeenSet() {
    apart = Duration.ofMinutes(-5);

    ask(1, 1);

    assertThat(clock.instant()).isEqualTo(there());
  }
}
