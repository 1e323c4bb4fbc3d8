package dev.superstep.state.value;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;

/// Keeps all carriers of virtual threads busy with some work.
public final class Carriers {
  private static final Duration LONG = Duration.ofSeconds(10);

  private Carriers() {}

  /// Fails when the work is done again and again and nobody else comes to run meanwhile.
  public static void letOthersRunDuring(Runnable work) throws Exception {
    var stop = new AtomicBoolean();
    var alone = new AtomicBoolean();
    int carriers = Runtime.getRuntime().availableProcessors();
    var begun = new CountDownLatch(carriers);
    var workers = new ArrayList<Thread>();
    for (int i = 0; i < carriers; i++) {
      workers.add(
          Thread.startVirtualThread(() -> {
            long end = System.nanoTime() + LONG.toNanos();
            begun.countDown();
            while (!stop.get()) {
              work.run();
              if (System.nanoTime() - end > 0 && !stop.get()) {
                alone.set(true);
                stop.set(true);
              }
            }
          }));
    }
    begun.await();
    workers.add(Thread.startVirtualThread(() -> stop.set(true)));
    for (var worker : workers) {
      worker.join();
    }
    assertThat(alone).isFalse();
  }
}
