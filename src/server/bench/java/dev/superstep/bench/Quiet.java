package dev.superstep.bench;

import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;

/// Waits until nothing else runs on the machine: a busy neighbour turns a commit of 0.1 ms into one
/// of 3 ms. It looks at the processors themselves, because the load average lags by a minute.
final class Quiet {
  private static final double BUSY_MAX = 0.1;
  private static final long LOOK_MS = 500;

  private Quiet() {}

  /// @return the share of the processors that was busy when it gave up or was content
  static double await(int seconds) throws InterruptedException {
    long until = System.nanoTime() + TimeUnit.SECONDS.toNanos(seconds);
    double busy = busy();
    while (busy > BUSY_MAX && System.nanoTime() - until < 0) {
      busy = busy();
    }
    return busy;
  }

  private static double busy() throws InterruptedException {
    var before = ticks();
    Thread.sleep(LOOK_MS);
    var after = ticks();
    double all = Arrays.stream(after).sum() - Arrays.stream(before).sum();
    double idle = after[3] + after[4] - before[3] - before[4];
    return all <= 0 ? 0 : 1 - idle / all;
  }

  /// user, nice, system, idle, iowait, irq, softirq, steal
  private static double[] ticks() {
    var lines = Processes.lines("/proc/stat");
    if (lines.isEmpty()) {
      return new double[8];
    }
    return List.of(lines.getFirst().split("\\s+")).stream()
        .skip(1)
        .limit(8)
        .mapToDouble(Double::parseDouble)
        .toArray();
  }
}
