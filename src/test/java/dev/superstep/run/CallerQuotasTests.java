package dev.superstep.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.superstep.problem.ErrorCode;
import dev.superstep.problem.ServiceException;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class CallerQuotasTests {
  private static final int MAX = 100;

  private final AtomicLong nanos = new AtomicLong(7);
  private final Map<String, Integer> active = new ConcurrentHashMap<>();
  private final AtomicInteger counted = new AtomicInteger();
  private final CallerQuotas quotas =
      new CallerQuotas(new CallerSettings(MAX, 10), this::count, nanos::get);

  private Map<String, Integer> count() {
    counted.incrementAndGet();
    return Map.copyOf(active);
  }

  @Test
  void countsOnceForManyStarts() {
    for (int i = 0; i < MAX; i++) {
      quotas.admit("a");
    }

    assertThat(counted).hasValue(1);
  }

  @Test
  void refusesWhatIsMoreThanTheBound() {
    for (int i = 0; i < MAX; i++) {
      quotas.admit("a");
    }
    active.put("a", MAX);
    pass(Duration.ofSeconds(1));

    assertThatThrownBy(() -> quotas.admit("a"))
        .isInstanceOfSatisfying(
            ServiceException.class,
            it -> assertThat(it.code()).isEqualTo(ErrorCode.RUN_QUOTA_EXCEEDED))
        .hasMessageContaining("100 runs");
    quotas.admit("b");
  }

  /// Many short runs, one after the other, are not many active ones.
  @Test
  void countsAgainBeforeItRefuses() {
    for (int i = 0; i < 10 * MAX; i++) {
      quotas.admit("a");
      pass(Duration.ofMillis(2));
    }

    assertThat(counted.get()).isBetween(2, 12);
  }

  @Test
  void doesNotCountForEachOfManyRefusals() {
    active.put("a", MAX);
    for (int i = 0; i < 50; i++) {
      assertThatThrownBy(() -> quotas.admit("a")).isInstanceOf(ServiceException.class);
    }

    assertThat(counted.get()).isLessThanOrEqualTo(2);
  }

  @Test
  void seesWithTheNextCountWhatOtherReplicasHaveAdmitted() {
    quotas.admit("a");
    active.put("a", MAX);
    pass(Duration.ofSeconds(3));

    await()
        .untilAsserted(
            () -> assertThatThrownBy(() -> quotas.admit("a")).isInstanceOf(ServiceException.class));
  }

  @Test
  void givesTheOnlyCallerThereIsTenTimesAsMuch() {
    active.put("", MAX);
    for (int i = 0; i < 9 * MAX; i++) {
      quotas.admit("");
    }
    active.put("", 10 * MAX);
    pass(Duration.ofSeconds(1));

    assertThatThrownBy(() -> quotas.admit("")).isInstanceOf(ServiceException.class);
  }

  private void pass(Duration time) {
    nanos.addAndGet(time.toNanos());
  }
}
