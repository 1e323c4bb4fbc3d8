package dev.superstep.run.check;

import dev.superstep.run.check.QuotaBounds.QuotaBound;
import dev.superstep.tenant.Share;
import dev.superstep.tenant.Tenant;
import java.time.Duration;
import java.util.Collections;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BiPredicate;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.dao.DataAccessException;
import org.springframework.transaction.TransactionException;

/// Counts what callers and their tenants hold of a resource, for all of them at once, periodically
/// and in the background; what is admitted here since then is added. Only who has used up half of
/// what a count has left it waits for a new one, so that admitting costs no statement far from a
/// bound, and two replicas do not both give away all that is left.
///
/// What was admitted here and may not be stored yet is added to each count: a count may then have
/// it twice, if it was stored while it was read, and never not at all.
final class UsageCount {
  private static final Logger log = LoggerFactory.getLogger(UsageCount.class);
  private static final Duration RECOUNT_PAUSE = Duration.ofMillis(100);

  /// Counting in the background takes at most this part of the time.
  private static final int COSTS_MAX = 20;

  /// Counting for those who are at their bounds takes at most this part: they may ask without end.
  private static final int RECOUNT_COSTS_MAX = 5;

  private final Counter counter;
  private final Duration ageMax;
  private final LongSupplier nanos;
  private final AtomicBoolean counting = new AtomicBoolean();

  /// Held while amounts change, never while they are counted.
  private final Object lock = new Object();

  /// What was added and may not be stored yet.
  private final Set<Addition.Added> open = Collections.newSetFromMap(new IdentityHashMap<>());

  /// What was stored since a count has begun that has not ended.
  private final Set<Addition.Added> unseen = Collections.newSetFromMap(new IdentityHashMap<>());

  private boolean reading;
  private volatile @Nullable Count count;

  /// Reads what each caller holds.
  interface Counter {
    Map<Share, Long> count();
  }

  /// @param held changes under the lock
  /// @param read what of it was stored when it was counted
  /// @param cost how long counting took
  private record Count(
      Map<QuotaHolder, Long> held, Map<QuotaHolder, Long> read, long at, long cost) {
    void add(QuotaHolder holder, long amount) {
      held.merge(holder, amount, Long::sum);
    }

    boolean exceeds(QuotaBound bound, long added) {
      return held.getOrDefault(bound.holder(), 0L) > bound.max() - added;
    }

    /// Whether more than half of what was left is used up: the other half is for other replicas.
    boolean isUsedUp(QuotaBound bound, long added) {
      long seen = read.getOrDefault(bound.holder(), 0L);
      long here = held.getOrDefault(bound.holder(), 0L) + added - seen;
      return here > (bound.max() - seen) / 2;
    }
  }

  /// @param ageMax of a count; there is a sooner one if somebody seems to be at its bound
  UsageCount(Counter counter, Duration ageMax, LongSupplier nanos) {
    this.counter = counter;
    this.ageMax = ageMax;
    this.nanos = nanos;
  }

  /// Adds to what each holder of a bound has, if all stay within their bounds.
  Addition admit(List<QuotaBound> bounds, long added) {
    if (bounds.isEmpty()) {
      return new Addition.Added(this, bounds, 0);
    }
    var known = current();
    if (isUsedUp(bounds, added)) {
      recount(known);
    }
    return add(bounds, added);
  }

  /// What has become of an amount.
  sealed interface Addition {
    /// It was added, and is until one of both methods is called.
    final class Added implements Addition {
      private final UsageCount usage;
      private final List<QuotaBound> bounds;
      private final long amount;

      private Added(UsageCount usage, List<QuotaBound> bounds, long amount) {
        this.usage = usage;
        this.bounds = bounds;
        this.amount = amount;
      }

      /// Nothing has come of it.
      void takeBack() {
        usage.takeBack(this);
      }

      /// It is stored, or nobody knows: the next count says.
      void settle() {
        usage.settle(this);
      }

      private void addTo(Count count, long times) {
        for (var bound : bounds) {
          count.add(bound.holder(), times * amount);
        }
      }
    }

    /// Nothing was added.
    ///
    /// @param bound the first one that would be exceeded
    record Exceeded(QuotaBound bound) implements Addition {}
  }

  private void takeBack(Addition.Added added) {
    synchronized (lock) {
      var known = count;
      if (open.remove(added) && known != null) {
        added.addTo(known, -1);
      }
    }
  }

  private void settle(Addition.Added added) {
    synchronized (lock) {
      if (open.remove(added) && reading) {
        unseen.add(added);
      }
    }
  }

  /// Who holds what `condition` says.
  Set<QuotaHolder> holders(BiPredicate<QuotaHolder, Long> condition) {
    var known = current();
    synchronized (lock) {
      return known.held().entrySet().stream()
          .filter(it -> condition.test(it.getKey(), it.getValue()))
          .map(Map.Entry::getKey)
          .collect(Collectors.toUnmodifiableSet());
    }
  }

  private boolean isUsedUp(List<QuotaBound> bounds, long added) {
    synchronized (lock) {
      var known = Objects.requireNonNull(count);
      for (var bound : bounds) {
        if (known.isUsedUp(bound, added)) {
          return true;
        }
      }
      return false;
    }
  }

  private Addition add(List<QuotaBound> bounds, long amount) {
    synchronized (lock) {
      var known = Objects.requireNonNull(count);
      for (var bound : bounds) {
        if (known.exceeds(bound, amount)) {
          return new Addition.Exceeded(bound);
        }
      }
      var added = new Addition.Added(this, bounds, amount);
      added.addTo(known, 1);
      open.add(added);
      return added;
    }
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
            || begun - known.at()
                < Math.max(RECOUNT_PAUSE.toNanos(), RECOUNT_COSTS_MAX * known.cost()))) {
      return known;
    }
    synchronized (lock) {
      reading = true;
    }
    try {
      return counted(Tenant.outside(counter::count), begun);
    } finally {
      synchronized (lock) {
        reading = false;
        unseen.clear();
      }
    }
  }

  private Count counted(Map<Share, Long> read, long begun) {
    long now = nanos.getAsLong();
    var held = new HashMap<QuotaHolder, Long>();
    read.forEach(
        (share, amount) -> QuotaHolder.of(share).forEach(it -> held.merge(it, amount, Long::sum)));
    var counted = new Count(held, Map.copyOf(held), now, now - begun);
    synchronized (lock) {
      open.forEach(it -> it.addTo(counted, 1));
      unseen.forEach(it -> it.addTo(counted, 1));
      count = counted;
    }
    return counted;
  }
}
