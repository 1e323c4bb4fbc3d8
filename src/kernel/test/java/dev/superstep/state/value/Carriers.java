package dev.superstep.state.value;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

/// Keeps all carriers of virtual threads busy with some work.
public final class Carriers {
  private static final Duration LONG = Duration.ofSeconds(30);

  /// How often another thread comes to run, per carrier, and within how many times of the work.
  private static final int TURNS = 16;

  private static final int TIMES_MAX = 13;

  private Carriers() {}

  /// Fails when the work is done again and again and another thread comes to run not even twice
  /// each time, on the average: the work gives the carrier up when it ends, but not in the middle.
  public static void letOthersRunDuring(Runnable work) throws Exception {
    var stop = new AtomicBoolean();
    var times = new AtomicInteger();
    long end = System.nanoTime() + LONG.toNanos();
    int carriers = Runtime.getRuntime().availableProcessors();
    var begun = new CountDownLatch(carriers);
    var workers = new ArrayList<Thread>();
    for (int i = 0; i < carriers; i++) {
      workers.add(
          Thread.startVirtualThread(() -> {
            begun.countDown();
            while (!stop.get() && System.nanoTime() - end < 0) {
              work.run();
              times.incrementAndGet();
            }
            stop.set(true);
          }));
    }
    begun.await();
    times.set(0);
    var turns = new AtomicInteger();
    workers.add(
        Thread.startVirtualThread(() -> {
          while (!stop.get() && turns.incrementAndGet() < TURNS * carriers) {
            LockSupport.parkNanos(1);
          }
          stop.set(true);
        }));
    for (var worker : workers) {
      worker.join();
    }
    // The works that are in progress when it stops are still finished.
    assertThat(turns).hasValue(TURNS * carriers);
    assertThat(times).hasValueLessThanOrEqualTo((TIMES_MAX + 1) * carriers);
  }
}
