package dev.superstep.graph;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.stream.DoubleStream;
import org.junit.jupiter.api.Test;

/// E31.
class RetryPolicyTests {
  private static final RetryPolicy WIDE = policy(600, 600, 1);

  private static RetryPolicy policy(long initialMs, long maxMs, double jitter) {
    return new RetryPolicy(
        9, Duration.ofMillis(initialMs), 2, Duration.ofMillis(maxMs), jitter, List.of(), List.of());
  }

  @Test
  void neverPausesLongerThanTheLongestPause() {
    long seed = System.nanoTime();
    var random = new Random(seed);
    for (int i = 0; i < 10_000; i++) {
      var policy = policy(random.nextLong(2_000), random.nextLong(2_000), random.nextDouble());
      assertThat(policy.pauseAfter(1 + random.nextInt(8), random.nextDouble()))
          .as("seed %d, round %d, %s", seed, i, policy)
          .isBetween(Duration.ZERO, policy.maxInterval());
    }
  }

  /// What is cut off above must not come out as many equal pauses: repeats would go out together.
  @Test
  void spreadsPausesBelowTheLongest() {
    var pauses =
        DoubleStream.iterate(0, it -> it < 0.9999, it -> it + 0.01)
            .mapToObj(it -> WIDE.pauseAfter(3, it))
            .distinct();
    assertThat(pauses).hasSize(100);
  }

  @Test
  void variesPausesByTheirShareOnBothSides() {
    var policy = policy(400, 60_000, 0.5);
    assertThat(policy.pauseAfter(1, 0)).hasMillis(200);
    assertThat(policy.pauseAfter(1, 0.5)).hasMillis(400);
    assertThat(policy.pauseAfter(1, 0.999_999_9)).hasMillis(600);
    assertThat(policy.pauseAfter(3, 0.5)).hasMillis(1_600);
  }
}
