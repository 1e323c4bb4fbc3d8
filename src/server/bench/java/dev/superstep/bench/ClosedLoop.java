package dev.superstep.bench;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

/// Callers that call again as soon as they have an answer.
final class ClosedLoop {
  private ClosedLoop() {}

  /// @param nanos how long each call took, ascending
  /// @param seconds from the first call to the last answer
  record Calls(long[] nanos, double seconds) {
    int count() {
      return nanos.length;
    }

    double perSecond() {
      return count() / seconds;
    }

    /// @param share 0.5 for the median
    double millis(double share) {
      int at = (int) Math.ceil(share * count()) - 1;
      return count() == 0 ? 0 : nanos[Math.max(0, at)] / 1e6;
    }
  }

  /// Lets each caller call for `seconds`; calls that have begun are finished and count.
  static Calls run(double seconds, List<? extends Callable<?>> callers) throws Exception {
    long begun = System.nanoTime();
    long until = begun + (long) (seconds * TimeUnit.SECONDS.toNanos(1));
    try (var threads = Executors.newFixedThreadPool(callers.size())) {
      var loops = new ArrayList<Future<long[]>>();
      for (var caller : callers) {
        loops.add(threads.submit(() -> callUntil(until, caller)));
      }
      var all = collect(loops);
      return new Calls(all, (System.nanoTime() - begun) / 1e9);
    }
  }

  private static long[] callUntil(long until, Callable<?> caller) throws Exception {
    var nanos = new long[1024];
    int count = 0;
    for (long at = System.nanoTime(); at - until < 0; ) {
      caller.call();
      long now = System.nanoTime();
      if (count == nanos.length) {
        nanos = Arrays.copyOf(nanos, count * 2);
      }
      nanos[count++] = now - at;
      at = now;
    }
    return Arrays.copyOf(nanos, count);
  }

  private static long[] collect(List<Future<long[]>> loops) throws Exception {
    try {
      var all = new ArrayList<long[]>();
      for (var loop : loops) {
        all.add(loop.get());
      }
      return all.stream().flatMapToLong(Arrays::stream).sorted().toArray();
    } catch (ExecutionException e) {
      loops.forEach(it -> it.cancel(true));
      throw e.getCause() instanceof Exception cause ? cause : e;
    }
  }
}
