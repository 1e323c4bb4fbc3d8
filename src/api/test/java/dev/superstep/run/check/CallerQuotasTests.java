package dev.superstep.run.check;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.superstep.database.TenantSettings;
import dev.superstep.problem.ErrorCode;
import dev.superstep.problem.ServiceException;
import dev.superstep.run.check.QuotaHolder.CallerHolder;
import dev.superstep.run.check.QuotaHolder.TenantHolder;
import dev.superstep.run.check.TenantLimitSettings.OwnLimits;
import dev.superstep.security.AuthenticatedCallers;
import dev.superstep.tenant.Share;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.transaction.support.TransactionSynchronizationUtils;
import org.springframework.util.unit.DataSize;

class CallerQuotasTests {
  private static final int MAX = 100;

  private final AtomicLong nanos = new AtomicLong(7);
  private final Map<Share, Long> active = new ConcurrentHashMap<>();
  private final Map<Share, Long> stored = new ConcurrentHashMap<>();
  private final AtomicInteger counted = new AtomicInteger();
  private Duration costs = Duration.ZERO;
  private Runnable whileCounted = () -> {};
  private final CallerQuotas quotas = quotas(new TenantSettings(false));

  /// A tenant may have half as much again as a key, `small` as much as a key.
  private CallerQuotas quotas(TenantSettings tenants) {
    var small = new OwnLimits(MAX, null, DataSize.ofMegabytes(1));
    var bounds =
        new QuotaBounds(
            new CallerSettings(MAX, 10, DataSize.ofMegabytes(1)),
            new TenantLimitSettings(
                MAX * 3 / 2, 15, DataSize.ofKilobytes(1_536), Map.of("small", small)),
            tenants);
    return new CallerQuotas(
        new AuthenticatedCallers(InstantSource.system(), tenants),
        bounds,
        this::count,
        () -> Map.copyOf(stored),
        (_, _) -> {},
        nanos::get);
  }

  private static Share share(String caller) {
    return Share.of("", caller);
  }

  private Map<Share, Long> count() {
    counted.incrementAndGet();
    pass(costs);
    var found = Map.copyOf(active);
    whileCounted.run();
    return found;
  }

  @Test
  void countsOnceForManyStarts() {
    for (int i = 0; i < MAX; i++) {
      quotas.admit(share("a"));
    }

    assertThat(counted).hasValue(1);
  }

  @Test
  void refusesWhatIsMoreThanTheBound() {
    for (int i = 0; i < MAX; i++) {
      quotas.admit(share("a"));
    }
    active.put(share("a"), (long) MAX);
    pass(Duration.ofSeconds(1));

    assertThatThrownBy(() -> quotas.admit(share("a")))
        .isInstanceOfSatisfying(
            ServiceException.class,
            it -> assertThat(it.code()).isEqualTo(ErrorCode.RUN_QUOTA_EXCEEDED))
        .hasMessageContaining("100 runs");
    quotas.admit(share("b"));
  }

  /// Runs that have not begun after all make room, in the count that has them.
  @Test
  void takesBackWhatHasNotBegun() {
    var first = quotas.admitIfRoom(share("a")).orElseThrow();
    for (int i = 1; i < MAX; i++) {
      quotas.admit(share("a"));
    }
    first.takeBack();
    var last = quotas.admitIfRoom(share("a")).orElseThrow();
    active.put(share("a"), (long) MAX);
    pass(Duration.ofSeconds(1));
    assertThat(quotas.admitIfRoom(share("a"))).isEmpty();

    last.takeBack();

    assertThat(quotas.admitIfRoom(share("a"))).as("counted without it").isEmpty();
  }

  /// The row of a run is there when its transaction ends: a count before does not have it.
  @Test
  void addsWhatIsNotStoredYetToEachCount() {
    for (int i = 0; i < MAX; i++) {
      assertThat(quotas.admitIfRoom(share("a"))).isPresent();
    }
    pass(Duration.ofSeconds(1));

    assertThat(quotas.admitIfRoom(share("a"))).isEmpty();
    assertThat(counted).hasValue(2);
  }

  @Test
  void addsWhatIsStoredWhileItIsCounted() {
    for (int i = 0; i < MAX / 2; i++) {
      quotas.admit(share("a"));
    }
    var last = quotas.admitIfRoom(share("a")).orElseThrow();
    active.put(share("a"), MAX - 1L);
    pass(Duration.ofSeconds(1));
    whileCounted = last::close;

    assertThat(quotas.admitIfRoom(share("a"))).isEmpty();
  }

  @Test
  void keepsNoPlaceForAStartThatIsRefused() {
    for (int i = 0; i < 2 * MAX; i++) {
      assertThatThrownBy(() ->
              quotas.admitting(
                  share("a"),
                  _ -> {
                    throw new ServiceException(ErrorCode.THREAD_BUSY, "it is busy");
                  }))
          .hasMessageContaining("busy");
    }

    assertThat(quotas.admitIfRoom(share("a"))).isPresent();
    assertThat(counted).hasValue(1);
  }

  @Test
  void keepsNoPlaceForATransactionThatRollsBack() {
    for (int i = 0; i < 2 * MAX; i++) {
      inTransaction(TransactionSynchronization.STATUS_ROLLED_BACK);
    }
    assertThat(counted).hasValue(1);

    for (int i = 0; i < MAX; i++) {
      inTransaction(TransactionSynchronization.STATUS_COMMITTED);
    }

    assertThat(quotas.admitIfRoom(share("a"))).isEmpty();
  }

  private void inTransaction(int status) {
    TransactionSynchronizationManager.initSynchronization();
    try {
      quotas.admit(share("a"));
      TransactionSynchronizationUtils.invokeAfterCompletion(
          TransactionSynchronizationManager.getSynchronizations(), status);
    } finally {
      TransactionSynchronizationManager.clearSynchronization();
    }
  }

  /// Else one that asks without end would keep the database counting.
  @Test
  void countsForASmallPartOfTheTime() {
    costs = Duration.ofMillis(200);
    active.put(share("a"), (long) MAX);
    for (int i = 0; i < 100; i++) {
      assertThat(quotas.admitIfRoom(share("a"))).isEmpty();
      pass(Duration.ofMillis(100));
    }

    assertThat(counted.get()).isBetween(5, 11);
  }

  /// Beyond the bound is what both admit in the tenth of a second between two counts at most.
  @Test
  void boundsWhatTwoReplicasAdmit() {
    var other = quotas(new TenantSettings(false));
    for (int i = 0; i < MAX - 1; i++) {
      assertThat(startAt(i % 2 == 0 ? quotas : other)).isTrue();
      pass(Duration.ofMillis(10));
    }
    for (int i = 0; i < MAX; i++) {
      startAt(i % 2 == 0 ? quotas : other);
      pass(Duration.ofMillis(10));
    }

    assertThat(active.get(share("a"))).isBetween((long) MAX, MAX + 5L);

    active.put(share("a"), MAX - 1L);
    pass(Duration.ofSeconds(1));
    assertThat(startAt(other)).isTrue();
  }

  private boolean startAt(CallerQuotas replica) {
    var admitted = replica.admitIfRoom(share("a"));
    admitted.ifPresent(it -> {
      active.merge(share("a"), 1L, Long::sum);
      it.close();
    });
    return admitted.isPresent();
  }

  /// Many short runs, one after the other, are not many active ones.
  @Test
  void countsAgainBeforeItRefuses() {
    for (int i = 0; i < 10 * MAX; i++) {
      quotas.admit(share("a"));
      pass(Duration.ofMillis(2));
    }

    assertThat(counted.get()).isBetween(2, 22);
  }

  @Test
  void doesNotCountForEachOfManyRefusals() {
    active.put(share("a"), (long) MAX);
    for (int i = 0; i < 50; i++) {
      assertThatThrownBy(() -> quotas.admit(share("a"))).isInstanceOf(ServiceException.class);
    }

    assertThat(counted.get()).isLessThanOrEqualTo(2);
  }

  @Test
  void seesWithTheNextCountWhatOtherReplicasHaveAdmitted() {
    quotas.admit(share("a"));
    active.put(share("a"), (long) MAX);
    pass(Duration.ofSeconds(3));

    await()
        .untilAsserted(() ->
            assertThatThrownBy(() -> quotas.admit(share("a")))
                .isInstanceOf(ServiceException.class));
  }

  @Test
  void givesTheOnlyCallerThereIsTenTimesAsMuch() {
    active.put(share(""), (long) MAX);
    for (int i = 0; i < 9 * MAX; i++) {
      quotas.admit(share(""));
    }
    active.put(share(""), 10L * MAX);
    pass(Duration.ofSeconds(1));

    assertThatThrownBy(() -> quotas.admit(share(""))).isInstanceOf(ServiceException.class);
  }

  /// What was posted since the last count is added; deleted runs make room.
  @Test
  void refusesWhatWouldBeStoredBeyondTheBound() {
    quotas.admitStored(share("a"), () -> 600_000);
    stored.put(share("a"), 600_000L);
    pass(Duration.ofSeconds(1));

    assertThatThrownBy(() -> quotas.admitStored(share("a"), () -> 600_000))
        .isInstanceOfSatisfying(
            ServiceException.class,
            it -> assertThat(it.code()).isEqualTo(ErrorCode.STORAGE_QUOTA_EXCEEDED))
        .hasMessageContaining("1 MB");
    quotas.admitStored(share("b"), () -> 600_000);

    stored.remove(share("a"));
    pass(Duration.ofSeconds(1));
    quotas.admitStored(share("a"), () -> 600_000);
  }

  /// A start that is refused stores nothing.
  @Test
  void doesNotCountWhatItRefuses() {
    stored.put(share("a"), 600_000L);
    assertThatThrownBy(() -> quotas.admitStored(share("a"), () -> 600_000))
        .isInstanceOf(ServiceException.class);

    quotas.admitStored(share("a"), () -> 100_000);
  }

  /// The size of a request is not asked for where nothing is bounded.
  @Test
  void measuresNothingWithoutABound() {
    var free =
        new CallerQuotas(
            new AuthenticatedCallers(InstantSource.system(), new TenantSettings(false)),
            new QuotaBounds(
                new CallerSettings(MAX, 10, DataSize.ofBytes(0)),
                new TenantLimitSettings(1, 1, DataSize.ofBytes(0), Map.of()),
                new TenantSettings(true)),
            this::count,
            () -> {
              throw new AssertionError("counted");
            },
            (_, _) -> {},
            nanos::get);

    free.admitStored(
        share("a"),
        () -> {
          throw new AssertionError("measured");
        });
  }

  /// Each key is within its own bound.
  @Test
  void refusesWhatIsMoreThanTheKeysOfATenantMayHaveTogether() {
    var shared = quotas(new TenantSettings(true));
    for (int i = 0; i < MAX * 3 / 2; i++) {
      shared.admit(new Share("acme", "a" + i % 2));
    }
    active.put(new Share("acme", "a0"), MAX * 3L / 4);
    active.put(new Share("acme", "a1"), MAX * 3L / 4);
    pass(Duration.ofSeconds(1));

    assertThatThrownBy(() -> shared.admit(new Share("acme", "a2")))
        .isInstanceOfSatisfying(
            ServiceException.class,
            it -> assertThat(it.code()).isEqualTo(ErrorCode.RUN_QUOTA_EXCEEDED))
        .hasMessageContaining("the tenant has 150 runs")
        .hasMessageContaining("superstep.tenants.runs-max");
    shared.admit(new Share("globex", "g"));
  }

  @Test
  void givesATenantWhatIsSetForItAlone() {
    var shared = quotas(new TenantSettings(true));
    active.put(new Share("small", "a"), MAX - 1L);

    shared.admit(new Share("small", "b"));
    pass(Duration.ofSeconds(1));
    active.put(new Share("small", "b"), 1L);

    assertThatThrownBy(() -> shared.admit(new Share("small", "b")))
        .hasMessageContaining("the tenant has 100 runs")
        .hasMessageContaining("(superstep.tenants.limits.small.runs-max)");
  }

  /// What its tenant has no room for is not counted to the key.
  @Test
  void countsNothingOfWhatTheTenantHasNoRoomFor() {
    var shared = quotas(new TenantSettings(true));
    active.put(new Share("acme", "others"), MAX * 3L / 2);
    for (int i = 0; i < 2 * MAX; i++) {
      assertThat(shared.admitIfRoom(new Share("acme", "a"))).isEmpty();
    }

    for (int i = 0; i < MAX; i++) {
      assertThat(shared.admitIfRoom(new Share("globex", "a"))).as("run %d", i).isPresent();
    }
  }

  @Test
  void makesRoomForAllKeysOfATenantWhereOneTakesBack() {
    var shared = quotas(new TenantSettings(true));
    active.put(new Share("acme", "others"), MAX * 3L / 2 - 1);
    var last = shared.admitIfRoom(new Share("acme", "a")).orElseThrow();
    assertThat(shared.admitIfRoom(new Share("acme", "b"))).isEmpty();

    last.takeBack();

    assertThat(shared.admitIfRoom(new Share("acme", "b"))).isPresent();
  }

  @Test
  void boundsNoTenantOfAServerThatNobodyShares() {
    active.put(share("a"), 10L * MAX);

    quotas.admit(share("b"));
    quotas.admitStored(share("b"), () -> 600_000);
  }

  @Test
  void refusesWhatATenantWouldStoreBeyondItsBound() {
    var shared = quotas(new TenantSettings(true));
    stored.put(new Share("acme", "a"), 1_000_000L);

    assertThatThrownBy(() -> shared.admitStored(new Share("acme", "b"), () -> 600_000))
        .hasMessageContaining("the tenant would store more than 1 MB")
        .hasMessageContaining("superstep.tenants.stored-max");
    shared.admitStored(new Share("globex", "g"), () -> 600_000);
  }

  /// A tenth beyond, runs that have begun are stopped: those of all of its keys.
  @Test
  void namesTheTenantThatStoresTooMuch() {
    var shared = quotas(new TenantSettings(true));
    stored.put(new Share("acme", "a"), 900_000L);
    stored.put(new Share("acme", "b"), 900_000L);
    stored.put(new Share("globex", "g"), 1_600_000L);

    assertThat(shared.overStored())
        .extracting(QuotaBounds.QuotaBound::holder)
        .containsExactlyInAnyOrder(new TenantHolder("acme"), new CallerHolder("g"));
    assertThat(new TenantHolder("acme").has(new Share("acme", "b"))).isTrue();
    assertThat(new TenantHolder("acme").has(new Share("globex", "b"))).isFalse();
    assertThat(new CallerHolder("g").has(new Share("globex", "b"))).isFalse();
  }

  private void pass(Duration time) {
    nanos.addAndGet(time.toNanos());
  }
}
