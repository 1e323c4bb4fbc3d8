package dev.superstep.run.check;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.superstep.database.TenantSettings;
import dev.superstep.problem.ErrorCode;
import dev.superstep.problem.ServiceException;
import dev.superstep.security.AuthenticatedCallers;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.springframework.util.unit.DataSize;

class CallerQuotasTests {
  private static final int MAX = 100;

  private final AtomicLong nanos = new AtomicLong(7);
  private final Map<String, Long> active = new ConcurrentHashMap<>();
  private final Map<String, Long> stored = new ConcurrentHashMap<>();
  private final AtomicInteger counted = new AtomicInteger();
  private final CallerQuotas quotas =
      new CallerQuotas(
          new AuthenticatedCallers(InstantSource.system(), new TenantSettings(false)),
          new CallerSettings(MAX, 10, DataSize.ofMegabytes(1)),
          this::count,
          () -> Map.copyOf(stored),
          (_, _) -> {},
          nanos::get);

  private Map<String, Long> count() {
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
    active.put("a", (long) MAX);
    pass(Duration.ofSeconds(1));

    assertThatThrownBy(() -> quotas.admit("a"))
        .isInstanceOfSatisfying(
            ServiceException.class,
            it -> assertThat(it.code()).isEqualTo(ErrorCode.RUN_QUOTA_EXCEEDED))
        .hasMessageContaining("100 runs");
    quotas.admit("b");
  }

  /// Runs that have not begun after all make room, in the count that has them.
  @Test
  void takesBackWhatHasNotBegun() {
    var first = quotas.admitIfRoom("a").orElseThrow();
    for (int i = 1; i < MAX; i++) {
      quotas.admit("a");
    }
    first.takeBack();
    var last = quotas.admitIfRoom("a").orElseThrow();
    active.put("a", (long) MAX);
    pass(Duration.ofSeconds(1));
    assertThat(quotas.admitIfRoom("a")).isEmpty();

    last.takeBack();

    assertThat(quotas.admitIfRoom("a")).as("counted without it").isEmpty();
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
    active.put("a", (long) MAX);
    for (int i = 0; i < 50; i++) {
      assertThatThrownBy(() -> quotas.admit("a")).isInstanceOf(ServiceException.class);
    }

    assertThat(counted.get()).isLessThanOrEqualTo(2);
  }

  @Test
  void seesWithTheNextCountWhatOtherReplicasHaveAdmitted() {
    quotas.admit("a");
    active.put("a", (long) MAX);
    pass(Duration.ofSeconds(3));

    await()
        .untilAsserted(
            () -> assertThatThrownBy(() -> quotas.admit("a")).isInstanceOf(ServiceException.class));
  }

  @Test
  void givesTheOnlyCallerThereIsTenTimesAsMuch() {
    active.put("", (long) MAX);
    for (int i = 0; i < 9 * MAX; i++) {
      quotas.admit("");
    }
    active.put("", 10L * MAX);
    pass(Duration.ofSeconds(1));

    assertThatThrownBy(() -> quotas.admit("")).isInstanceOf(ServiceException.class);
  }

  /// What was posted since the last count is added; deleted runs make room.
  @Test
  void refusesWhatWouldBeStoredBeyondTheBound() {
    quotas.admitStored("a", () -> 600_000);
    stored.put("a", 600_000L);
    pass(Duration.ofSeconds(1));

    assertThatThrownBy(() -> quotas.admitStored("a", () -> 600_000))
        .isInstanceOfSatisfying(
            ServiceException.class,
            it -> assertThat(it.code()).isEqualTo(ErrorCode.STORAGE_QUOTA_EXCEEDED))
        .hasMessageContaining("1 MB");
    quotas.admitStored("b", () -> 600_000);

    stored.remove("a");
    pass(Duration.ofSeconds(1));
    quotas.admitStored("a", () -> 600_000);
  }

  /// A start that is refused stores nothing.
  @Test
  void doesNotCountWhatItRefuses() {
    stored.put("a", 600_000L);
    assertThatThrownBy(() -> quotas.admitStored("a", () -> 600_000))
        .isInstanceOf(ServiceException.class);

    quotas.admitStored("a", () -> 100_000);
  }

  /// The size of a request is not asked for where nothing is bounded.
  @Test
  void measuresNothingWithoutABound() {
    var free =
        new CallerQuotas(
            new AuthenticatedCallers(InstantSource.system(), new TenantSettings(false)),
            new CallerSettings(MAX, 10, DataSize.ofBytes(0)),
            this::count,
            () -> {
              throw new AssertionError("counted");
            },
            (_, _) -> {},
            nanos::get);

    free.admitStored(
        "a",
        () -> {
          throw new AssertionError("measured");
        });
  }

  private void pass(Duration time) {
    nanos.addAndGet(time.toNanos());
  }
}
