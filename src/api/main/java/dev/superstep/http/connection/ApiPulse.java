package dev.superstep.http.connection;

import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.concurrent.Executor;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.stereotype.Component;

/// Whether the threads of the API get to work: the port of probes has its own threads, which answer
/// while those of the API have no processor and no memory. Twice a second a virtual thread is
/// begun, as each request has one, and the time is read that the collector of garbage has taken.
@Component
final class ApiPulse implements DisposableBean {
  private static final Duration BEAT = Duration.ofMillis(500);
  private static final Duration KEPT = Duration.ofSeconds(40);

  /// Part of the time, in percent, in which a process that collects garbage does nothing else.
  private static final long COLLECTS = 75;

  private final LongSupplier nanos;
  private final LongSupplier collected;
  private final Executor threads;
  private final AtomicLong answered;
  private final ArrayDeque<Sample> samples = new ArrayDeque<>();
  private final ScheduledExecutorService timer =
      Executors.newSingleThreadScheduledExecutor(
          Thread.ofPlatform().daemon().name("api-pulse").factory());

  /// @param collected ms that the collector has taken since the process began
  private record Sample(long at, long collected) {}

  @Autowired
  ApiPulse() {
    this(System::nanoTime, ApiPulse::collectedMs, it -> Thread.ofVirtual().name("pulse").start(it));
    var _ = timer.scheduleWithFixedDelay(this::beat, 0, BEAT.toMillis(), TimeUnit.MILLISECONDS);
  }

  ApiPulse(LongSupplier nanos, LongSupplier collected, Executor threads) {
    this.nanos = nanos;
    this.collected = collected;
    this.threads = threads;
    this.answered = new AtomicLong(nanos.getAsLong());
  }

  private static long collectedMs() {
    return ManagementFactory.getGarbageCollectorMXBeans().stream()
        .mapToLong(GarbageCollectorMXBean::getCollectionTime)
        .sum();
  }

  void beat() {
    long now = nanos.getAsLong();
    threads.execute(() -> answered.accumulateAndGet(now, Math::max));
    synchronized (samples) {
      samples.addLast(new Sample(now, collected.getAsLong()));
      while (now - samples.getFirst().at() > KEPT.toNanos()) {
        samples.removeFirst();
      }
    }
  }

  /// Whether the API has had no thread, or no time beside the collection of garbage, for as long.
  boolean isStuck(Duration time) {
    return nanos.getAsLong() - answered.get() >= time.toNanos() || collects(time);
  }

  private boolean collects(Duration time) {
    synchronized (samples) {
      if (samples.isEmpty()) {
        return false;
      }
      var last = samples.getLast();
      return samples.reversed().stream()
          .filter(it -> last.at() - it.at() >= time.toNanos())
          .findFirst()
          .filter(it ->
              TimeUnit.MILLISECONDS.toNanos(last.collected() - it.collected()) * 100
                  >= COLLECTS * (last.at() - it.at()))
          .isPresent();
    }
  }

  @Override
  public void destroy() {
    timer.shutdownNow();
  }
}
