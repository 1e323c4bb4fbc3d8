package dev.superstep.http.connection;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class ApiPulseTests {
  private static final Duration BEAT = Duration.ofMillis(500);
  private long now;
  private long collected;
  private boolean answers = true;
  private final List<Runnable> waiting = new ArrayList<>();
  private final ApiPulse pulse =
      new ApiPulse(
          () -> now,
          () -> collected,
          it -> {
            if (answers) {
              it.run();
            } else {
              waiting.add(it);
            }
          });

  private void pass(Duration time, int percentOfCollection) {
    for (var at = Duration.ZERO; at.compareTo(time) < 0; at = at.plus(BEAT)) {
      now += BEAT.toNanos();
      collected += BEAT.toMillis() * percentOfCollection / 100;
      pulse.beat();
    }
  }

  private boolean isReady() {
    return !pulse.isStuck(ApiHealth.READY);
  }

  private boolean isAlive() {
    return !pulse.isStuck(ApiHealth.ALIVE);
  }

  @Test
  void isReadyWhileThreadsAnswer() {
    pass(Duration.ofMinutes(5), 30);
    assertThat(isReady()).isTrue();
    assertThat(isAlive()).isTrue();
  }

  @Test
  void isNotReadyWithinFiveSecondsWhenNoThreadAnswersAndNotAliveWithinThirty() {
    pass(Duration.ofSeconds(10), 0);
    answers = false;
    pass(Duration.ofSeconds(3), 0);
    assertThat(isReady()).isTrue();
    pass(Duration.ofSeconds(2), 0);
    assertThat(isReady()).isFalse();
    assertThat(isAlive()).isTrue();
    pass(Duration.ofSeconds(25), 0);
    assertThat(isAlive()).isFalse();

    answers = true;
    waiting.forEach(Runnable::run);
    pass(BEAT, 0);
    assertThat(isReady()).isTrue();
    assertThat(isAlive()).isTrue();
  }

  @Test
  void isNotReadyWhenItOnlyCollectsGarbage() {
    pass(Duration.ofSeconds(60), 10);
    pass(Duration.ofSeconds(5), 90);
    assertThat(isReady()).isFalse();
    assertThat(isAlive()).isTrue();
    pass(Duration.ofSeconds(25), 90);
    assertThat(isAlive()).isFalse();
    pass(Duration.ofSeconds(5), 0);
    assertThat(isReady()).isTrue();
    assertThat(isAlive()).isTrue();
  }
}
