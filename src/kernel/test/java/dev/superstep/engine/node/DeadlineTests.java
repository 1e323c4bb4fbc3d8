package dev.superstep.engine.node;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
class DeadlineTests {
  private static final Duration SOON = Duration.ofMillis(30);

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
    Deadline.in(Duration.ZERO, () -> pass(gate));
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
}
