package dev.superstep.engine.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadInfo;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
class DeadlineTests {
  private static final Duration SOON = Duration.ofMillis(30);
  private static final Duration FAR = Duration.ofMillis(3_200);

  @Test
  void ringsWhenItsTimeHasCome() throws InterruptedException {
    var rung = new CountDownLatch(1);
    long set = System.nanoTime();

    Deadline.in(SOON, rung::countDown);

    assertThat(rung.await(20, TimeUnit.SECONDS)).isTrue();
    assertThat(System.nanoTime() - set).isGreaterThanOrEqualTo(SOON.toNanos());
  }

  @Test
  void doesNotRingOnceItIsPutOff() throws InterruptedException {
    List<String> rung = new CopyOnWriteArrayList<>();
    var gate = new CountDownLatch(1);
    var last = new CountDownLatch(1);
    // Nothing rings before all is set.
    var rings = new CountDownLatch(1);
    Deadline.in(
        Duration.ZERO,
        () -> {
          rings.countDown();
          pass(gate);
        });
    rings.await();
    var putOff = Deadline.in(SOON, () -> rung.add("put off"));
    Deadline.in(SOON.multipliedBy(2), last::countDown);

    putOff.close();
    gate.countDown();
    last.await();

    assertThat(rung).isEmpty();
  }

  private static void pass(CountDownLatch gate) {
    try {
      gate.await();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  /// One alarm that fails takes none of the others with it.
  @Test
  void ringsForOthersAfterOneThatFails() throws InterruptedException {
    var rung = new CountDownLatch(1);
    Deadline.in(
        Duration.ZERO,
        () -> {
          throw new IllegalStateException("no");
        });

    Deadline.in(SOON, rung::countDown);

    assertThat(rung.await(20, TimeUnit.SECONDS)).isTrue();
  }

  @Test
  void ringsWhenATimeHasComeThatWasFarAway() throws InterruptedException {
    List<String> rung = new CopyOnWriteArrayList<>();
    var last = new CountDownLatch(1);
    long set = System.nanoTime();
    var putOff = Deadline.in(FAR, () -> rung.add("put off"));
    Deadline.in(FAR, last::countDown);

    putOff.close();

    assertThat(Deadline.LATER).doesNotContain(putOff);
    assertThat(last.await(20, TimeUnit.SECONDS)).isTrue();
    assertThat(System.nanoTime() - set).isGreaterThanOrEqualTo(FAR.toNanos());
    assertThat(rung).isEmpty();
  }

  /// For each wait for an answer one is set, and closed a moment later.
  @Test
  void wakesNobodyToBeSetAndClosed() {
    assertThat(waitsWhileSet(Duration.ofMinutes(1))).isLessThan(10);
  }

  /// A driver sets one of these at each superstep.
  @Test
  void wakesHardlyEverForWhatIsSetAndClosedAndDueSoon() {
    assertThat(waitsWhileSet(Duration.ofMillis(20))).isLessThan(100);
  }

  /// How often a deadline wakes the thread that keeps them, in half a second in which it is set and
  /// closed all the time.
  private static long waitsWhileSet(Duration delay) {
    Deadline.in(Duration.ZERO, () -> {});
    await().until(() -> waits() > 0);
    long before = waits();
    long until = System.nanoTime() + Duration.ofMillis(500).toNanos();
    while (System.nanoTime() < until) {
      try (var _ = Deadline.in(delay, () -> {})) {
        Thread.onSpinWait();
      }
    }
    assertThat(Deadline.SOONER).isEmpty();
    return waits() - before;
  }

  /// How often the thread that keeps the deadlines has gone to sleep.
  private static long waits() {
    var threads = ManagementFactory.getThreadMXBean();
    return Stream.of(threads.getThreadInfo(threads.getAllThreadIds()))
        .filter(it -> it != null && it.getThreadName().equals("superstep-deadlines"))
        .mapToLong(ThreadInfo::getWaitedCount)
        .sum();
  }
}
