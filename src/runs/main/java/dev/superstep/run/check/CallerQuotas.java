package dev.superstep.run.check;

import dev.superstep.budget.Budgets;
import dev.superstep.database.Pools;
import dev.superstep.definition.StorageQuota;
import dev.superstep.problem.AuditedCaller;
import dev.superstep.problem.Callers;
import dev.superstep.problem.ErrorCode;
import dev.superstep.problem.ServiceException;
import dev.superstep.run.check.QuotaBounds.QuotaBound;
import dev.superstep.run.check.UsageCount.Addition;
import dev.superstep.tenant.Share;
import dev.superstep.tenant.Tenant;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiConsumer;
import java.util.function.Function;
import java.util.function.LongSupplier;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;
import org.springframework.util.unit.DataSize;

/// Keeps each caller, and each tenant, within its bounds on active runs and on stored bytes
/// ([UsageCount]). A start costs no statement, and none reads runs that have ended. Counting uses
/// no connection of API calls, which may hold theirs while they wait for the count.
@Component
public class CallerQuotas implements StorageQuota {
  private static final Duration RUNS_AGE_MAX = Duration.ofSeconds(2);

  /// By which part a bound on stored bytes may be exceeded with runs that have begun.
  private static final double BEYOND = 0.1;

  private static final Duration STORED_AGE_MAX = Duration.ofSeconds(10);

  private final Callers callers;
  private final QuotaBounds bounds;
  private final UsageCount runs;
  private final UsageCount stored;
  private final BiConsumer<String, String> budgets;

  @Autowired
  CallerQuotas(
      Callers callers,
      QuotaBounds bounds,
      @Qualifier(Pools.SCHEDULER) JdbcClient jdbc,
      StoredSizes sizes,
      Budgets budgets) {
    this(
        callers,
        bounds,
        () -> activeRuns(jdbc),
        sizes::count,
        budgets::requireLeft,
        System::nanoTime);
  }

  CallerQuotas(
      Callers callers,
      QuotaBounds bounds,
      UsageCount.Counter runs,
      UsageCount.Counter stored,
      BiConsumer<String, String> budgets,
      LongSupplier nanos) {
    this.callers = callers;
    this.bounds = bounds;
    this.budgets = budgets;
    this.runs = new UsageCount(runs, RUNS_AGE_MAX, nanos);
    this.stored = new UsageCount(stored, STORED_AGE_MAX, nanos);
  }

  private static Map<Share, Long> activeRuns(JdbcClient jdbc) {
    var found = new HashMap<Share, Long>();
    jdbc.sql(
            """
            select tenant_of(id), caller, count(*) from run
             where status in ('enqueued', 'queued', 'running', 'waiting', 'cancelling')
             group by tenant_of(id), caller
            """)
        .query(row -> {
          found.put(new Share(row.getString(1), row.getString(2)), row.getLong(3));
        });
    return found;
  }

  /// The caller of this request, as one of a tenant.
  ///
  /// @param id of something of that tenant, as rows have it
  public Share share(String id) {
    return Share.of(id, callers.current());
  }

  /// Admits one more active run. Without a transaction it is taken for stored when this returns.
  ///
  /// @throws ServiceException if the caller or its tenant is at its bound
  public void admit(Share share) {
    try (var admitted = new Admitted(this, share)) {
      admitted.run();
    }
  }

  /// Admits one more active run, and what its start stores.
  ///
  /// @param start may be called off with a [ServiceException]: it has stored nothing then
  /// @throws ServiceException if the caller or its tenant is at its bound
  public <T> T admitting(Share share, Function<Admitted, T> start) {
    try (var admitted = new Admitted(this, share)) {
      try {
        admitted.run();
        return start.apply(admitted);
      } catch (ServiceException e) {
        admitted.takeBack();
        throw e;
      }
    }
  }

  Addition.Added addRun(Share share) {
    return switch (admission(share)) {
      case Addition.Added added -> added;
      case Addition.Exceeded(var bound) ->
          throw new ServiceException(
              ErrorCode.RUN_QUOTA_EXCEEDED,
              "%s has %d runs that are queued, running or waiting, which is all it may have (%s);"
                      .formatted(bound.holder().noun(), bound.max(), bound.property())
                  + " wait for some to end, or cancel some");
    };
  }

  private Addition admission(Share share) {
    return runs.admit(bounds.of(QuotaKind.RUNS, share), 1);
  }

  /// Makes sure that something is left of the budgets for models that a run of this graph draws on.
  ///
  /// @param graph as rows have it
  /// @throws ServiceException `budget_exhausted`
  public void requireBudget(String graph, String caller) {
    budgets.accept(graph, caller);
  }

  /// The caller of this request.
  public String current() {
    return callers.current();
  }

  /// Keeps the token of this request for tools that a run calls on behalf of its starter, if the
  /// caller is that one and sends a token.
  public void lend(String run, String starter) {
    callers.lend(run, () -> starter);
  }

  /// The current caller, if what it does is recorded.
  public Optional<AuditedCaller> audited() {
    return callers.audited();
  }

  /// Admits one more active run; empty if the caller or its tenant is at its bound.
  public Optional<Admitted> admitIfRoom(Share share) {
    return switch (admission(share)) {
      case Addition.Added added -> Optional.of(new Admitted(this, share).with(added));
      case Addition.Exceeded _ -> Optional.empty();
    };
  }

  /// Admits a run, or another row, that begins with so many bytes. Without a transaction it is
  /// taken for stored when this returns.
  ///
  /// @param bytes computed only where there is a bound
  /// @throws ServiceException if the stored bytes of the caller or its tenant are at the bound, or
  ///   would exceed it
  public void admitStored(Share share, LongSupplier bytes) {
    try (var admitted = new Admitted(this, share)) {
      admitted.stored(bytes);
    }
  }

  Optional<Addition.Added> addStored(Share share, LongSupplier bytes) {
    var bounded = bounds.of(QuotaKind.STORED, share);
    return bounded.isEmpty()
        ? Optional.empty()
        : switch (stored.admit(bounded, StoredSizes.RUN_BYTES + bytes.getAsLong())) {
          case Addition.Added added -> Optional.of(added);
          case Addition.Exceeded(var bound) -> throw storedTooMuch(bound);
        };
  }

  private static ServiceException storedTooMuch(QuotaBound bound) {
    return new ServiceException(
        ErrorCode.STORAGE_QUOTA_EXCEEDED,
        "with this %s would store more than %s, which is all it may store (%s); delete runs,"
                .formatted(
                    bound.holder().noun(), text(DataSize.ofBytes(bound.max())), bound.property())
            + " threads, assistants or items of the memory that are not needed");
  }

  @Override
  public String admitStored(LongSupplier bytes) {
    var share = new Share(Tenant.current().name(), callers.current());
    admitStored(share, bytes);
    return share.caller();
  }

  /// Who stores more than a tenth beyond its bound: a start is refused at the bound, but runs that
  /// have begun write on. Reads nothing most times, and is as old as the last count.
  public List<QuotaBound> overStored() {
    return bounds.isBounded(QuotaKind.STORED)
        ? stored.holders(this::isOver).stream()
            .map(it -> bounds.bound(QuotaKind.STORED, it))
            .toList()
        : List.of();
  }

  private boolean isOver(QuotaHolder holder, long bytes) {
    long max = bounds.max(QuotaKind.STORED, holder);
    return max > 0 && bytes > max * (1 + BEYOND);
  }

  private static String text(DataSize size) {
    return size.toMegabytes() > 0 ? size.toMegabytes() + " MB" : size.toKilobytes() + " kB";
  }
}
