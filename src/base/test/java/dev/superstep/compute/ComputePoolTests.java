package dev.superstep.compute;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.superstep.problem.ErrorCode;
import dev.superstep.problem.ServiceException;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.util.unit.DataSize;

@Timeout(60)
class ComputePoolTests {

  private static ComputePool pool(int queueMax, Duration deadline) {
    return new ComputePool(
        new ComputeSettings(1, queueMax, deadline, 100, DataSize.ofMegabytes(10)));
  }

  private static void await(CountDownLatch latch) {
    try {
      assertThat(latch.await(30, TimeUnit.SECONDS)).isTrue();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  private static ErrorCode refusal(Runnable call) {
    try {
      call.run();
      throw new AssertionError("it was not refused");
    } catch (ServiceException e) {
      return e.code();
    }
  }

  @Test
  void worksOnThreadsOfTheOperatingSystem() throws InterruptedException {
    var pool = pool(1, Duration.ofSeconds(30));
    var seen = new boolean[2];
    var caller =
        Thread.ofVirtual()
            .start(() -> {
              seen[0] = pool.call(() -> Thread.currentThread().isVirtual());
              seen[1] = pool.call(100, () -> Thread.currentThread().isVirtual());
            });
    caller.join();
    assertThat(seen).containsExactly(false, true);
    pool.destroy();
  }

  @Test
  void doesNotWaitForItself() {
    var pool = pool(0, Duration.ofSeconds(30));
    assertThat(pool.call(() -> pool.call(() -> pool.run(() -> 7)))).isEqualTo(7);
    assertThat(pool.run(() -> pool.run(() -> 8))).isEqualTo(8);
    pool.destroy();
  }

  @Test
  void refusesMoreThanItsQueueHoldsAndNeverWhatRunsNeed() throws InterruptedException {
    var pool = pool(0, Duration.ofSeconds(60));
    var begun = new CountDownLatch(1);
    var end = new CountDownLatch(1);
    var first =
        Thread.ofVirtual()
            .start(() ->
                pool.call(() -> {
                  begun.countDown();
                  await(end);
                  return 1;
                }));
    await(begun);
    assertThat(refusal(() -> pool.call(() -> 2))).isEqualTo(ErrorCode.OVERLOADED);
    assertThat(pool.run(() -> 3)).isEqualTo(3);
    end.countDown();
    first.join();
    pool.destroy();
  }

  @Test
  void endsWorkAtItsDeadlineAndTakesNewWorkAfterwards() {
    var pool = pool(0, Duration.ofSeconds(2));
    assertThat(pool.run(() -> 0)).as("its thread is there").isZero();
    var interrupted = new CountDownLatch(1);
    var used = new AtomicLong();
    var threads = ManagementFactory.getThreadMXBean();
    var refusal =
        refusal(() ->
            pool.call(() -> {
              long before = threads.getCurrentThreadCpuTime();
              while (!Thread.currentThread().isInterrupted()) {
                Thread.onSpinWait();
              }
              used.set(threads.getCurrentThreadCpuTime() - before);
              interrupted.countDown();
              return 1;
            }));
    await(interrupted);
    if (refusal == ErrorCode.OVERLOADED) {
      assertThat(used.get()).as("others had the processor").isLessThan(TimeUnit.SECONDS.toNanos(3));
    } else {
      assertThat(refusal).isEqualTo(ErrorCode.DEADLINE_EXCEEDED);
    }
    Integer result = null;
    while (result == null) { // until the room is free
      try {
        result = pool.call(() -> 5);
      } catch (ServiceException e) {
        assertThat(e.code()).isIn(ErrorCode.OVERLOADED, ErrorCode.DEADLINE_EXCEEDED);
      }
    }
    assertThat(result).isEqualTo(5);
    pool.destroy();
  }

  /// What a request brings is not at fault when others have the thread, or when the thread waits.
  @Test
  void doesNotBlameARequestForTimeThatItHasNotUsed() throws InterruptedException {
    var pool = pool(1, Duration.ofMillis(500));
    var begun = new CountDownLatch(1);
    var end = new CountDownLatch(1);
    var waits =
        CompletableFuture.supplyAsync(() ->
            refusal(() ->
                pool.call(() -> {
                  begun.countDown();
                  await(end);
                  return 1;
                })));
    await(begun);
    assertThat(refusal(() -> pool.call(() -> 2))).isEqualTo(ErrorCode.OVERLOADED);
    assertThat(waits.join()).isEqualTo(ErrorCode.OVERLOADED);
    end.countDown();
    pool.destroy();
  }

  @Test
  void freesTheRoomOfQueuedWorkWhoseClientHasGone() throws InterruptedException {
    var pool = pool(1, Duration.ofSeconds(60));
    var begun = new CountDownLatch(1);
    var end = new CountDownLatch(1);
    var first =
        Thread.ofVirtual()
            .start(() ->
                pool.call(() -> {
                  begun.countDown();
                  await(end);
                  return 1;
                }));
    await(begun);
    for (int i = 0; i < 3; i++) {
      assertThat(
              ScopedValue.where(Client.CURRENT, () -> true)
                  .call(() -> refusal(() -> pool.call(() -> 2))))
          .isEqualTo(ErrorCode.BAD_REQUEST);
    }
    end.countDown();
    first.join();
    pool.destroy();
  }

  @Test
  void handsFailuresOnAsTheyAre() {
    var pool = pool(1, Duration.ofSeconds(30));
    var failure = new IllegalArgumentException("mine");
    assertThatThrownBy(() ->
            pool.call(() -> {
              throw failure;
            }))
        .isSameAs(failure);
    pool.destroy();
  }
}
