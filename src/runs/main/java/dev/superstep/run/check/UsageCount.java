package dev.superstep.run.check;

import dev.superstep.run.check.QuotaBounds.QuotaBound;
import dev.superstep.tenant.Share;
import dev.superstep.tenant.Tenant;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
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

/// Counts what callers and their tenants hold of a resource, for all of them at once, periodically
/// and in the background; what is admitted here since then is added. Only who seems to be at its
/// bound waits for a new count, so that admitting costs no statement. What other replicas admit
/// meanwhile shows with the next count.
final class UsageCount {
  private static final Logger log = LoggerFactory.getLogger(UsageCount.class);
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
    Map<Share, Long> count();
  }

  /// @param cost how long counting took
  private record Count(ConcurrentHashMap<QuotaHolder, AtomicLong> held, long at, long cost) {}

  /// @param ageMax of a count; there is a sooner one if somebody seems to be at its bound
  UsageCount(Counter counter, Duration ageMax, LongSupplier nanos) {
    this.counter = counter;
    this.ageMax = ageMax;
    this.nanos = nanos;
  }

  /// Adds to what each holder of a bound has, if all stay within their bounds.
  Addition admit(List<QuotaBound> bounds, long added) {
    var known = current();
    var admission = add(known, bounds, added);
    return switch (admission) {
      case Addition.Added _ -> admission;
      case Addition.Exceeded _ -> add(recount(known), bounds, added);
    };
  }

  /// What has become of an amount.
  sealed interface Addition {
    /// It was added to a count.
    record Added(List<AtomicLong> held, long added) implements Addition {
      /// Of what nobody has a bound on.
      static final Added NOTHING = new Added(List.of(), 0);

      public Added {
        held = List.copyOf(held);
      }

      /// Nothing has come of it. A newer count does not have it anyway.
      void takeBack() {
        held.forEach(it -> it.addAndGet(-added));
      }
    }

    /// Nothing was added.
    ///
    /// @param bound the first one that would be exceeded
    record Exceeded(QuotaBound bound) implements Addition {}
  }

  /// Who holds what `condition` says.
  Set<QuotaHolder> holders(BiPredicate<QuotaHolder, Long> condition) {
    return current().held().entrySet().stream()
        .filter(it -> condition.test(it.getKey(), it.getValue().get()))
        .map(Map.Entry::getKey)
        .collect(Collectors.toUnmodifiableSet());
  }

  private static Addition add(Count count, List<QuotaBound> bounds, long added) {
    var held = new ArrayList<AtomicLong>(bounds.size());
    for (var bound : bounds) {
      var amount = count.held().computeIfAbsent(bound.holder(), _ -> new AtomicLong());
      long max = bound.max() - added;
      if (amount.getAndUpdate(it -> it <= max ? it + added : it) > max) {
        new Addition.Added(held, added).takeBack();
        return new Addition.Exceeded(bound);
      }
      held.add(amount);
    }
    return new Addition.Added(held, added);
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
      Thread.ofVirtual().name("usage-count").start(this::countInBackground);
    }
    return known;
  }

  private void countInBackground() {
    try {
      recount(count);
    } catch (DataAccessException | TransactionException e) {
      log.debug("Usage could not be counted and is counted again later", e);
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
    var held = new ConcurrentHashMap<QuotaHolder, AtomicLong>();
    Tenant.outside(counter::count)
        .forEach((share, amount) ->
            QuotaHolder.of(share)
                .forEach(it -> held.computeIfAbsent(it, _ -> new AtomicLong()).addAndGet(amount)));
    long now = nanos.getAsLong();
    var counted = new Count(held, now, now - begun);
    count = counted;
    return counted;
  }
}
