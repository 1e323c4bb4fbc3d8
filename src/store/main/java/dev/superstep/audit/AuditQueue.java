package dev.superstep.audit;

import dev.superstep.database.Pools;
import dev.superstep.problem.AuditedCaller;
import dev.superstep.problem.AuditedCaller.Credential;
import dev.superstep.schedule.DatabaseClock;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.dao.DataAccessException;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;
import org.springframework.transaction.TransactionException;

/// Records calls that changed nothing, outside of their transaction: refusals, failures, sign-ins.
/// They are written within a second or two, equal ones as one row that counts them. Strangers can
/// cause as many as they like: beyond a bound they are still counted, by outcome and error, but not
/// by who and what. A killed server loses those of its last second.
@Component
public class AuditQueue implements DisposableBean {
  private static final Logger log = LoggerFactory.getLogger(AuditQueue.class);

  /// Rows that may be written at once, after a while without.
  static final int ROWS_MAX = 1_000;

  /// Rows of each second that may be written for ever.
  static final int ROWS_PER_TURN = 10;

  private static final int TEXT_MAX = 200;
  private static final int PAUSE_MS = 1_000;

  private final JdbcClient jdbc;
  private final DatabaseClock clock;
  private final Counter summed;
  private final Counter lost;
  private final ScheduledExecutorService timer =
      Executors.newSingleThreadScheduledExecutor(
          Thread.ofPlatform().daemon().name("audit").factory());
  private final Map<QueuedEvent, EqualCalls> waiting = new LinkedHashMap<>();
  private int room = ROWS_MAX;
  private long overflowed;

  /// @param times how many equal ones there were since `first`
  private record EqualCalls(Instant first, int times) {
    EqualCalls plus(EqualCalls other) {
      return new EqualCalls(
          first.isBefore(other.first) ? first : other.first, Math.addExact(times, other.times));
    }
  }

  /// A call that changed nothing.
  ///
  /// @param object which it was about; empty: none, or none that may be told
  /// @param error the code that it was answered with; empty: it was allowed
  public record QueuedEvent(
      AuditedCaller caller,
      String action,
      Optional<AuditObject> object,
      AuditOutcome outcome,
      Optional<String> error) {
    /// What is recorded of too many.
    QueuedEvent summed() {
      return new QueuedEvent(
          new AuditedCaller(caller.tenant(), Optional.empty(), Credential.NONE, Optional.empty()),
          "call",
          Optional.empty(),
          outcome,
          error);
    }
  }

  /// An object of an event.
  public record AuditObject(String kind, String id) {
    public AuditObject {
      id = id.substring(0, Math.min(id.length(), TEXT_MAX));
    }
  }

  AuditQueue(
      @Qualifier(Pools.SCHEDULER) JdbcClient jdbc, DatabaseClock clock, MeterRegistry meters) {
    this.jdbc = jdbc;
    this.clock = clock;
    summed =
        Counter.builder("superstep.audit.summed")
            .description("Refusals and failures of which only the number is recorded")
            .register(meters);
    lost =
        Counter.builder("superstep.audit.lost")
            .description("Refusals and failures that are not recorded")
            .register(meters);
    var _ = timer.scheduleWithFixedDelay(this::takeTurn, PAUSE_MS, PAUSE_MS, TimeUnit.MILLISECONDS);
  }

  /// Never waits.
  public void add(QueuedEvent event) {
    add(event, new EqualCalls(clock.instant(), 1));
  }

  private synchronized void add(QueuedEvent event, EqualCalls count) {
    boolean fits = waiting.containsKey(event) || waiting.size() < room;
    if (!fits) {
      overflowed += count.times();
      summed.increment(count.times());
    }
    waiting.merge(fits ? event : event.summed(), count, EqualCalls::plus);
  }

  private synchronized Map<QueuedEvent, EqualCalls> take() {
    if (overflowed > 0) {
      log.warn("Of {} refused or failed calls only the number is recorded: too many", overflowed);
      overflowed = 0;
    }
    var taken = new LinkedHashMap<>(waiting);
    waiting.clear();
    room = Math.min(ROWS_MAX, Math.max(0, room - taken.size()) + ROWS_PER_TURN);
    return taken;
  }

  private synchronized void putBack(Map<QueuedEvent, EqualCalls> taken) {
    room = Math.min(ROWS_MAX, room + taken.size());
    taken.forEach(this::add);
  }

  private void takeTurn() {
    var unwritten = write();
    if (!unwritten.isEmpty()) {
      putBack(unwritten);
    }
  }

  /// @return what could not be written
  private Map<QueuedEvent, EqualCalls> write() {
    var taken = take();
    try {
      if (!taken.isEmpty()) {
        insert(List.copyOf(taken.entrySet()));
      }
      return Map.of();
    } catch (DataAccessException | TransactionException e) {
      log.warn("{} kinds of refused or failed calls cannot be recorded yet", taken.size(), e);
      return taken;
    } catch (RuntimeException e) {
      log.error("Refused or failed calls cannot be recorded", e);
      lost.increment((double) times(taken));
      return Map.of();
    }
  }

  private static long times(Map<QueuedEvent, EqualCalls> events) {
    return events.values().stream().mapToLong(EqualCalls::times).sum();
  }

  private void insert(List<Map.Entry<QueuedEvent, EqualCalls>> events) {
    int _ =
        jdbc.sql(
                """
                insert into audit_event
                       (at, tenant, caller, credential, address, action, object_kind, object_id,
                        outcome, error_code, times)
                select * from unnest(:at::timestamptz[], :tenant::text[], :caller::text[],
                         :credential::text[], :address::text[], :action::text[], :kind::text[],
                         :object::text[], :outcome::text[], :error::text[], :times::integer[])
                """)
            .param("at", texts(events, it -> it.getValue().first().toString()))
            .param("tenant", texts(events, it -> it.getKey().caller().tenant().name()))
            .param("caller", texts(events, it -> it.getKey().caller().id().orElse(null)))
            .param("credential", texts(events, it -> it.getKey().caller().credential().text()))
            .param("address", texts(events, it -> it.getKey().caller().address().orElse(null)))
            .param("action", texts(events, it -> it.getKey().action()))
            .param(
                "kind",
                texts(events, it -> it.getKey().object().map(AuditObject::kind).orElse(null)))
            .param(
                "object",
                texts(events, it -> it.getKey().object().map(AuditObject::id).orElse(null)))
            .param("outcome", texts(events, it -> it.getKey().outcome().text()))
            .param("error", texts(events, it -> it.getKey().error().orElse(null)))
            .param(
                "times", events.stream().map(it -> it.getValue().times()).toArray(Integer[]::new))
            .update();
  }

  private static String[] texts(
      List<Map.Entry<QueuedEvent, EqualCalls>> events,
      Function<Map.Entry<QueuedEvent, EqualCalls>, @Nullable String> value) {
    var texts = new ArrayList<@Nullable String>();
    events.forEach(it -> texts.add(value.apply(it)));
    return texts.toArray(String[]::new);
  }

  @Override
  public void destroy() {
    timer.shutdown();
    var unwritten = write();
    if (!unwritten.isEmpty()) {
      lost.increment((double) times(unwritten));
      log.error("{} refused or failed calls are not recorded", times(unwritten));
    }
  }
}
