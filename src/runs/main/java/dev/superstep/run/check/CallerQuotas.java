package dev.superstep.run.check;

import dev.superstep.budget.Budgets;
import dev.superstep.database.Pools;
import dev.superstep.definition.StorageQuota;
import dev.superstep.problem.AuditedCaller;
import dev.superstep.problem.Callers;
import dev.superstep.problem.ErrorCode;
import dev.superstep.problem.ServiceException;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.function.LongSupplier;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;
import org.springframework.util.unit.DataSize;

/// Keeps each caller within its bounds on active runs and on stored bytes ([CallerCount]). A start
/// costs no statement, and none reads runs that have ended. Counting uses no connection of API
/// calls, which may hold theirs while they wait for the count.
@Component
public class CallerQuotas implements StorageQuota {
  private static final Duration RUNS_AGE_MAX = Duration.ofSeconds(2);

  /// By which part a caller may exceed its bound on stored bytes with runs that have begun.
  private static final double BEYOND = 0.1;

  private static final Duration STORED_AGE_MAX = Duration.ofSeconds(10);

  private final Callers callers;
  private final CallerSettings settings;
  private final CallerCount runs;
  private final CallerCount stored;
  private final BiConsumer<String, String> budgets;

  @Autowired
  CallerQuotas(
      Callers callers,
      CallerSettings settings,
      @Qualifier(Pools.SCHEDULER) JdbcClient jdbc,
      StoredSizes sizes,
      Budgets budgets) {
    this(
        callers,
        settings,
        () -> activeRuns(jdbc),
        sizes::count,
        budgets::requireLeft,
        System::nanoTime);
  }

  CallerQuotas(
      Callers callers,
      CallerSettings settings,
      CallerCount.Counter runs,
      CallerCount.Counter stored,
      BiConsumer<String, String> budgets,
      LongSupplier nanos) {
    this.callers = callers;
    this.settings = settings;
    this.budgets = budgets;
    this.runs = new CallerCount(runs, RUNS_AGE_MAX, nanos);
    this.stored = new CallerCount(stored, STORED_AGE_MAX, nanos);
  }

  private static Map<String, Long> activeRuns(JdbcClient jdbc) {
    var found = new HashMap<String, Long>();
    jdbc.sql(
            """
            select caller, count(*) from run
             where status in ('enqueued', 'queued', 'running', 'waiting', 'cancelling')
             group by caller
            """)
        .query(row -> {
          found.put(row.getString(1), row.getLong(2));
        });
    return found;
  }

  /// Admits one more active run of the caller of this request.
  ///
  /// @return the caller, to whom the run is counted from now on
  /// @throws ServiceException if it is at its bound
  public String admit() {
    var caller = callers.current();
    admit(caller);
    return caller;
  }

  /// Admits one more active run of this caller.
  ///
  /// @throws ServiceException if it is at its bound
  public void admit(String caller) {
    if (admitIfRoom(caller).isEmpty()) {
      throw new ServiceException(
          ErrorCode.RUN_QUOTA_EXCEEDED,
          "the API key has %d runs that are queued, running or waiting, which is all it may have"
                  .formatted(settings.of(caller).runsMax())
              + " (superstep.callers.runs-max); wait for some to end, or cancel some");
    }
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

  /// Admits one more active run of this caller; empty if it is at its bound.
  public Optional<Admitted> admitIfRoom(String caller) {
    return runs.admit(caller, 1, settings.of(caller).runsMax()).map(it -> it::takeBack);
  }

  /// One more active run, or what it stores, counted to its caller.
  public interface Admitted {
    /// To be called once at most, if the run does not become active.
    void takeBack();
  }

  /// Admits a run that begins with so many bytes; empty if the caller's are at the bound, or would
  /// exceed it.
  ///
  /// @param bytes computed only where there is a bound
  public Optional<Admitted> admitStoredIfRoom(String caller, LongSupplier bytes) {
    var max = settings.of(caller).storedMax();
    return max.toBytes() > 0
        ? stored
            .admit(caller, StoredSizes.RUN_BYTES + bytes.getAsLong(), max.toBytes())
            .map(it -> it::takeBack)
        : Optional.of(() -> {});
  }

  /// Admits a run, or another row, that begins with so many bytes.
  ///
  /// @param bytes computed only where there is a bound
  /// @throws ServiceException if the caller's stored bytes are at the bound, or would exceed it
  public void admitStored(String caller, LongSupplier bytes) {
    if (admitStoredIfRoom(caller, bytes).isEmpty()) {
      throw new ServiceException(
          ErrorCode.STORAGE_QUOTA_EXCEEDED,
          "with this the API key would store more than %s, which is all it may store"
                  .formatted(text(settings.of(caller).storedMax()))
              + " (superstep.callers.stored-max); delete runs, threads, assistants or items of the"
              + " memory that are not needed");
    }
  }

  @Override
  public String admitStored(LongSupplier bytes) {
    var caller = callers.current();
    admitStored(caller, bytes);
    return caller;
  }

  /// The callers who store more than a tenth beyond their bound: a start is refused at the bound,
  /// but runs that have begun write on. Reads nothing most times, and is as old as the last count.
  public Set<String> overStored() {
    return settings.storedMax().toBytes() == 0
        ? Set.of()
        : stored.callers(
            (caller, bytes) -> bytes > settings.of(caller).storedMax().toBytes() * (1 + BEYOND));
  }

  private static String text(DataSize size) {
    return size.toMegabytes() > 0 ? size.toMegabytes() + " MB" : size.toKilobytes() + " kB";
  }
}
