package dev.superstep.checkpoint.work;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.superstep.checkpoint.work.WorkArrivals.WaitingClaim;
import dev.superstep.checkpoint.work.WorkArrivals.WorkType;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/// Who is woken.
class WorkArrivalsTests {
  private static final WorkType TYPE = new WorkType("default", "charge");
  private static final Duration LONG = Duration.ofMinutes(1);

  private final WorkArrivals arrivals = new WorkArrivals();

  /// The older one may be of a worker that is gone.
  @Test
  void wakesTheNewestClaimFirst() {
    try (var older = arrivals.open(Set.of(TYPE));
        var newer = arrivals.open(Set.of(TYPE));
        var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      var first = waits(threads, newer);
      var second = waits(threads, older);
      arrivals.arrived(TYPE, 1);
      await().until(first::isDone);
      assertThat(second.isDone()).isFalse();
      arrivals.close();
    }
  }

  /// Else one that may not have the task would be woken for ever, and those that may would not.
  @Test
  void wakesAnotherOneWhenTheFirstHasGotNothing() throws InterruptedException {
    try (var able = arrivals.open(Set.of(TYPE));
        var limited = arrivals.open(Set.of(TYPE));
        var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      var served = waits(threads, able);
      arrivals.arrived(TYPE, 1);
      assertThat(limited.await(LONG)).isTrue();
      assertThat(limited.await(Duration.ofMillis(1))).isTrue();
      assertThat(served.isDone()).isFalse();
      arrivals.arrived(TYPE, 1);
      await().until(served::isDone);
    }
  }

  /// A run does not wait for what the last time has taken longer.
  @Test
  void expectsAnEndSoonOfWhatHasEndedSoon() {
    try (var _ = arrivals.open(Set.of(TYPE))) {
      assertThat(arrivals.endsSoon(TYPE)).as("nothing is known").isTrue();
      arrivals.worked(TYPE, Duration.ofMillis(100));
      assertThat(arrivals.endsSoon(TYPE)).isFalse();
      assertThat(arrivals.isAwaited(TYPE)).isTrue();
      arrivals.worked(TYPE, Duration.ofMillis(99));
      assertThat(arrivals.endsSoon(TYPE)).isTrue();
    }
    assertThat(arrivals.endsSoon(TYPE)).as("nobody waits").isFalse();
  }

  @Test
  void namesTheTaskIfItIsASingleOne() throws InterruptedException {
    try (var claim = arrivals.open(Set.of(TYPE))) {
      assertThat(arrivals.isAwaited(TYPE)).isTrue();
      commit(Map.of("one", TYPE));
      assertThat(claim.await(LONG)).isTrue();
      assertThat(claim.task()).contains("one");
      commit(Map.of("two", TYPE, "three", TYPE));
      assertThat(claim.await(LONG)).isTrue();
      assertThat(claim.task()).as("of several").isEmpty();
      arrivals.arrived(TYPE, 1);
      assertThat(claim.await(LONG)).isTrue();
      assertThat(claim.task()).as("unknown").isEmpty();
    }
    assertThat(arrivals.isAwaited(TYPE)).isFalse();
  }

  /// A claim that ends takes nothing with it that came meanwhile.
  @Test
  void passesOnWhatItHasNotUsed() throws InterruptedException {
    try (var other = arrivals.open(Set.of(TYPE))) {
      try (var claim = arrivals.open(Set.of(TYPE))) {
        commit(Map.of("one", TYPE));
        assertThat(claim.await(LONG)).isTrue();
        commit(Map.of("two", TYPE));
      }
      assertThat(other.await(Duration.ZERO)).isTrue();
      assertThat(other.task()).isEmpty();
      commit(Map.of("three", TYPE));
      assertThat(other.await(LONG)).isTrue();
      assertThat(other.task()).contains("three");
    }
  }

  private void commit(Map<String, WorkType> tasks) {
    TransactionSynchronizationManager.initSynchronization();
    try {
      arrivals.arriveAfterCommit(tasks);
      TransactionSynchronizationManager.getSynchronizations()
          .forEach(TransactionSynchronization::afterCommit);
    } finally {
      TransactionSynchronizationManager.clear();
    }
  }

  private static Future<Boolean> waits(ExecutorService threads, WaitingClaim claim) {
    return threads.submit(() -> claim.await(LONG));
  }
}
