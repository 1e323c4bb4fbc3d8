package dev.superstep.run.check;

import dev.superstep.tenant.Tenant;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BiPredicate;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.dao.DataAccessException;
import org.springframework.transaction.TransactionException;

/// Counts what callers hold of a resource, for all of them at once, periodically and in the
/// background; what is admitted here since then is added. Only a caller that seems to be at its
/// bound waits for a new count, so that admitting costs no statement. What other replicas admit
/// meanwhile shows with the next count.
final class CallerCount {
  private static final Logger log = LoggerFactory.getLogger(CallerCount.class);
  private static final Duration RECOUNT_PAUSE = Duration.ofMillis(100);

  /// Counting takes at most this part of the time.
  private static final int COSTS_MAX = 20;

  private final Counter counter;
  private final Duration ageMax;
  private final LongSupplier nanos;
  private final AtomicBoolean counting = new AtomicBoolean();
  private volatile @Nullable Count count;

  /// Reads what each caller holds.
  interface Counter {
    Map<String, Long> count();
  }

  /// @param cost how long counting took
  private record Count(ConcurrentHashMap<String, AtomicLong> held, long at, long cost) {}

  /// @param ageMax of a count; a caller that seems to be at its bound is counted sooner
  CallerCount(Counter counter, Duration ageMax, LongSupplier nanos) {
    this.counter = counter;
    this.ageMax = ageMax;
    this.nanos = nanos;
  }

  /// Adds to what the caller holds, if that is at most `max` then.
  ///
  /// @return empty if it is not
  Optional<Admission> admit(String caller, long added, long max) {
    var known = current();
    return add(known, caller, added, max).or(() -> add(recount(known), caller, added, max));
  }

  /// What has been added to a count.
  record Admission(AtomicLong held, long added) {
    /// Nothing has come of it. A newer count does not have it anyway.
    void takeBack() {
      held.addAndGet(-added);
    }
  }

  /// The callers who hold what `condition` says.
  Set<String> callers(BiPredicate<String, Long> condition) {
    return current().held().entrySet().stream()
        .filter(it -> condition.test(it.getKey(), it.getValue().get()))
        .map(Map.Entry::getKey)
        .collect(Collectors.toUnmodifiableSet());
  }

  private static Optional<Admission> add(Count count, String caller, long added, long max) {
    var held = count.held().computeIfAbsent(caller, _ -> new AtomicLong());
    return held.getAndUpdate(it -> it + added <= max ? it + added : it) + added <= max
        ? Optional.of(new Admission(held, added))
        : Optional.empty();
  }

  /// The last count; starts a new one if that is old.
  private Count current() {
    var known = count;
    if (known == null) {
      return recount(null);
    }
    long age = nanos.getAsLong() - known.at();
    if (age > Math.max(ageMax.toNanos(), COSTS_MAX * known.cost())
        && counting.compareAndSet(false, true)) {
      Thread.ofVirtual().name("caller-count").start(this::countInBackground);
    }
    return known;
  }

  private void countInBackground() {
    try {
      recount(count);
    } catch (DataAccessException | TransactionException e) {
      log.debug("Usage of callers could not be counted and is counted again later", e);
    } finally {
      counting.set(false);
    }
  }

  /// A count that is newer than `seen`, or too recent to justify another one.
  private synchronized Count recount(@Nullable Count seen) {
    var known = count;
    long begun = nanos.getAsLong();
    if (known != null
        && (seen == null
            || known.at() != seen.at()
            || begun - known.at() < Math.max(RECOUNT_PAUSE.toNanos(), known.cost()))) {
      return known;
    }
    var held = new ConcurrentHashMap<String, AtomicLong>();
    Tenant.outside(counter::count)
        .forEach((caller, amount) -> held.put(caller, new AtomicLong(amount)));
    long now = nanos.getAsLong();
    var counted = new Count(held, now, now - begun);
    count = counted;
    return counted;
  }
}
