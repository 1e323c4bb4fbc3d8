package dev.superstep.run;

import dev.superstep.database.Pools;
import dev.superstep.problem.ErrorCode;
import dev.superstep.problem.ServiceException;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.dao.DataAccessException;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;
import org.springframework.transaction.TransactionException;

/// Keeps each caller within its bounds on active runs. The runs of all callers are counted with one
/// statement, now and then and in the background; what is admitted here since then is added. Only a
/// caller that seems to be at its bound waits for a new count, so that a start costs no statement,
/// and none reads runs that have ended. Counting takes no connection of API calls, who may hold
/// theirs while they wait for the count. What other replicas admit meanwhile shows with the next
/// count: for that long a caller can exceed its bound.
@Component
class CallerQuotas {
  private static final Logger log = LoggerFactory.getLogger(CallerQuotas.class);
  private static final Duration COUNT_MAX_AGE = Duration.ofSeconds(2);
  private static final Duration RECOUNT_PAUSE = Duration.ofMillis(100);

  /// Counting takes at most this part of the time.
  private static final int COSTS_MAX = 20;

  private final CallerSettings settings;
  private final Counter counter;
  private final LongSupplier nanos;
  private final AtomicBoolean counting = new AtomicBoolean();
  private volatile @Nullable Count count;

  /// Active runs by caller.
  interface Counter {
    Map<String, Integer> count();
  }

  /// @param cost how long it took
  private record Count(ConcurrentHashMap<String, AtomicInteger> runs, long at, long cost) {}

  @Autowired
  CallerQuotas(CallerSettings settings, @Qualifier(Pools.SCHEDULER) JdbcClient jdbc) {
    this(settings, () -> activeRuns(jdbc), System::nanoTime);
  }

  CallerQuotas(CallerSettings settings, Counter counter, LongSupplier nanos) {
    this.settings = settings;
    this.counter = counter;
    this.nanos = nanos;
  }

  private static Map<String, Integer> activeRuns(JdbcClient jdbc) {
    var found = new ConcurrentHashMap<String, Integer>();
    jdbc.sql(
            """
            select caller, count(*) from run
             where status in ('enqueued', 'queued', 'running', 'waiting', 'cancelling')
             group by caller
            """)
        .query(row -> {
          found.put(row.getString(1), row.getInt(2));
        });
    return found;
  }

  /// One more run of this caller.
  ///
  /// @throws ServiceException if it has as many as it may have
  void admit(String caller) {
    int max = settings.of(caller).runsMax();
    var known = current();
    if (add(known, caller) <= max) {
      return;
    }
    if (add(recount(known), caller) > max) {
      throw new ServiceException(
          ErrorCode.RUN_QUOTA_EXCEEDED,
          "this API key has %d runs that are queued, running or waiting, which is all it may have"
                  .formatted(max)
              + " (superstep.callers.runs-max); wait for some to end, or cancel some");
    }
  }

  private static int add(Count count, String caller) {
    return count.runs().computeIfAbsent(caller, _ -> new AtomicInteger()).incrementAndGet();
  }

  /// The last count; a new one is begun if that is old.
  private Count current() {
    var known = count;
    if (known == null) {
      return recount(null);
    }
    long age = nanos.getAsLong() - known.at();
    if (age > Math.max(COUNT_MAX_AGE.toNanos(), COSTS_MAX * known.cost())
        && counting.compareAndSet(false, true)) {
      Thread.ofVirtual().name("caller-count").start(this::countInBackground);
    }
    return known;
  }

  private void countInBackground() {
    try {
      recount(count);
    } catch (DataAccessException | TransactionException e) {
      log.debug("Active runs are counted again later", e);
    } finally {
      counting.set(false);
    }
  }

  /// A count that is newer than `seen`, or so new that another one is not worth its price.
  private synchronized Count recount(@Nullable Count seen) {
    var known = count;
    long begun = nanos.getAsLong();
    if (known != null
        && (seen == null
            || known.at() != seen.at()
            || begun - known.at() < Math.max(RECOUNT_PAUSE.toNanos(), known.cost()))) {
      return known;
    }
    var runs = new ConcurrentHashMap<String, AtomicInteger>();
    counter.count().forEach((caller, active) -> runs.put(caller, new AtomicInteger(active)));
    long now = nanos.getAsLong();
    var counted = new Count(runs, now, now - begun);
    count = counted;
    return counted;
  }
}
