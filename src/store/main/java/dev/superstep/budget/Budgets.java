package dev.superstep.budget;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import dev.superstep.budget.Budget.Account;
import dev.superstep.budget.BudgetRows.Draw;
import dev.superstep.budget.BudgetRows.DrawResult;
import dev.superstep.budget.BudgetRows.StoredDraw;
import dev.superstep.budget.BudgetState.Used;
import dev.superstep.checkpoint.Retries;
import dev.superstep.checkpoint.StoreUnavailableException;
import dev.superstep.database.LoggedFailure;
import dev.superstep.engine.run.RunBudget;
import dev.superstep.engine.run.RunHeader;
import dev.superstep.engine.run.TaskError;
import dev.superstep.engine.run.TaskFailedException;
import dev.superstep.model.SpendingGate;
import dev.superstep.problem.ErrorCode;
import dev.superstep.problem.ServiceException;
import dev.superstep.state.value.Value;
import dev.superstep.tenant.Tenant;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Semaphore;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.stereotype.Component;

/// The budgets of this server. Each call of a model reserves the most that it can take before it is
/// made, in a short transaction of its own, and gives back what it has not taken when it has been
/// answered. What was reserved by a process that was killed counts as spent until the window ends:
/// the provider may have charged it.
@Component
public class Budgets implements SpendingGate {
  private static final Logger log = LoggerFactory.getLogger(Budgets.class);

  private static final Duration WAIT_MAX = Duration.ofSeconds(30);

  private static final Duration FIRST_PAUSE = Duration.ofMillis(50);
  private static final Duration LONGEST_PAUSE = Duration.ofSeconds(2);

  /// For how long the answer of a model waits until its cost is settled.
  private static final Duration SETTLE_MAX = Duration.ofSeconds(1);

  /// Starts see what is spent as of so long ago.
  private static final Duration STATE_AGE_MAX = Duration.ofSeconds(1);

  /// Statements at a time: callers of one budget queue here, not for connections that other work
  /// needs.
  private static final int STATEMENTS_MAX = 2;

  private static final String UNPRICED =
      "it has no prices; set superstep.models.%s.prices.input and .output";

  private static final String UNBOUNDED =
      "its output has no bound; set max-tokens in superstep.models.%s.options, max_tokens in the"
          + " options of the node, or the most output tokens of the agent's own model";

  private static final int CALLERS_KEPT = 10_000;
  private static final int STATES_KEPT = 10_000;

  private final List<Budget> budgets;
  private final BudgetRows rows;
  private final Retries retries;
  private final Duration waitMax;
  private final Semaphore statements = new Semaphore(STATEMENTS_MAX, true);
  private final Cache<String, String> callers =
      Caffeine.newBuilder().maximumSize(CALLERS_KEPT).build();
  private final Cache<Account, BudgetState> states =
      Caffeine.newBuilder().maximumSize(STATES_KEPT).expireAfterWrite(STATE_AGE_MAX).build();

  @Autowired
  Budgets(BudgetSettings settings, BudgetRows rows, Retries retries) {
    this(settings, rows, retries, WAIT_MAX);
  }

  /// @param waitMax for how long a call waits for others to give back what they have reserved
  Budgets(BudgetSettings settings, BudgetRows rows, Retries retries, Duration waitMax) {
    this.waitMax = waitMax;
    this.budgets = settings.read();
    this.rows = rows;
    this.retries = retries;
  }

  @Override
  public Reservation reserve(RunHeader run, Supplier<CallBound> call) throws InterruptedException {
    var accounts = accounts(run.graph(), () -> caller(run.id()));
    if (accounts.isEmpty()) {
      return Reservation.NONE;
    }
    var bound = call.get();
    var draws = accounts.stream().map(it -> draw(it, bound)).toList();
    long first = System.nanoTime();
    var pause = FIRST_PAUSE;
    while (true) {
      switch (attempt(draws)) {
        case DrawResult.Reserved(var held) -> {
          return taken -> settle(held, taken);
        }
        case DrawResult.Lacking(var draw, var state)
            when !state.maySuffice(draw) || System.nanoTime() - first > waitMax.toNanos() ->
            throw exhausted(draw, state);
        case DrawResult.Lacking _ -> Thread.sleep(pause);
      }
      pause = longer(pause);
    }
  }

  private static Duration longer(Duration pause) {
    var longer = pause.multipliedBy(2);
    return longer.compareTo(LONGEST_PAUSE) > 0 ? LONGEST_PAUSE : longer;
  }

  /// The amounts on which runs of this caller draw, one for each budget that concerns some, in the
  /// order of their names.
  public List<Account> accounts(Tenant tenant, String caller) {
    return budgets.stream().flatMap(it -> it.account(tenant, () -> caller).stream()).toList();
  }

  /// What was spent of an amount, as of a second ago.
  public BudgetState state(Account account) {
    return states.get(account, rows::read);
  }

  /// In the order of their budgets' names: the one in which all lock them.
  private List<Account> accounts(String graph, Supplier<String> caller) {
    return budgets.stream().flatMap(it -> it.account(graph, caller).stream()).toList();
  }

  private String caller(String run) {
    var known = callers.getIfPresent(run);
    if (known != null) {
      return known;
    }
    var found =
        retries
            .run(() -> "the caller of run '%s'".formatted(run), () -> rows.caller(run))
            .orElseThrow(() ->
                new TaskFailedException(
                    TaskError.retryable("node_failed", "it is not known who has started the run")));
    callers.put(run, found);
    return found;
  }

  private static Draw draw(Account account, CallBound call) {
    var limits = account.budget().limits();
    long tokens =
        limits.tokens().isEmpty()
            ? 0
            : call.tokens().orElseThrow(() -> unbounded(account, call, "tokens"));
    var money =
        limits.money().isEmpty()
            ? BigDecimal.ZERO
            : call.money().orElseThrow(() -> unbounded(account, call, "money"));
    return new Draw(account, tokens, money);
  }

  private static TaskFailedException unbounded(Account account, CallBound call, String what) {
    boolean unpriced = call.prices().isEmpty() && what.equals("money");
    return TaskFailedException.permanent(
        "budget_needs_bounds",
        "budget '%s' limits %s, and what a call of model '%s' may take is not known: %s"
            .formatted(
                account.budget().name(),
                what,
                call.model(),
                (unpriced ? UNPRICED : UNBOUNDED).formatted(call.model())));
  }

  private DrawResult attempt(List<Draw> draws) throws InterruptedException {
    statements.acquire();
    try {
      return retries.run(
          () -> "budget '%s'".formatted(draws.getFirst().account().budget().name()),
          () -> rows.reserve(draws));
    } catch (StoreUnavailableException e) {
      if (Thread.interrupted()) {
        throw (InterruptedException) new InterruptedException(e.getMessage()).initCause(e);
      }
      throw e;
    } finally {
      statements.release();
    }
  }

  /// On a thread of its own: an answer is not lost because the database is away, and an interrupt
  /// of the caller does not break the connection.
  private void settle(List<StoredDraw> held, CallUsage taken) throws InterruptedException {
    var thread = Thread.ofVirtual().name("settle-budget").start(() -> settleNow(held, taken));
    boolean _ = thread.join(SETTLE_MAX);
  }

  private void settleNow(List<StoredDraw> held, CallUsage taken) {
    statements.acquireUninterruptibly();
    try {
      rows.settle(held, taken);
    } catch (RuntimeException e) {
      log.warn(
          "What a call took could not be settled; all that it had reserved of budget '{}' counts as"
              + " spent: {}",
          held.getFirst().draw().account().budget().name(),
          new LoggedFailure(e));
    } finally {
      statements.release();
    }
  }

  private TaskFailedException exhausted(Draw draw, BudgetState state) {
    states.put(draw.account(), state);
    var budget = draw.account().budget().name();
    var used = state.lacking(draw).or(state::usedUp);
    var error =
        TaskError.permanent(
                RunBudget.EXHAUSTED,
                used.map(it ->
                        "%s; the call may take up to %s"
                            .formatted(said(budget, it, state), most(draw, it)))
                    .orElse("budget '%s' had nothing left for the call".formatted(budget)))
            .with("budget", Value.of(budget))
            .with("renews_at", Value.of(state.renewsAt().toString()));
    return new TaskFailedException(
        used.map(it ->
                error
                    .with("limited", Value.of(it.what()))
                    .with("limit", Value.of(text(it.limit())))
                    .with("spent", Value.of(text(it.spent())))
                    .with("reserved", Value.of(text(it.reserved()))))
            .orElse(error));
  }

  private static String most(Draw draw, Used used) {
    return switch (used.what()) {
      case "tokens" -> Long.toString(draw.tokens());
      case "money" -> text(draw.money());
      default -> "1";
    };
  }

  private static String said(String budget, Used used, BudgetState state) {
    return "of budget '%s', %s of %s %s are spent and %s reserved until it is renewed at %s"
        .formatted(
            budget,
            text(used.spent()),
            text(used.limit()),
            used.what(),
            text(used.reserved()),
            state.renewsAt());
  }

  private static String text(BigDecimal amount) {
    return amount.signum() == 0 ? "0" : amount.stripTrailingZeros().toPlainString();
  }

  /// Makes sure that there is something left to begin a run with; reads nothing most times.
  ///
  /// @param graph as rows have it
  /// @throws ServiceException `budget_exhausted` if a budget that concerns it is used up
  public void requireLeft(String graph, String caller) {
    for (var account : accounts(graph, () -> caller)) {
      var state = state(account);
      state
          .usedUp()
          .ifPresent(it -> {
            throw new ServiceException(
                ErrorCode.BUDGET_EXHAUSTED,
                said(account.budget().name(), it, state),
                List.of(),
                Map.of(
                    "budget",
                    account.budget().name(),
                    "renews_at",
                    state.renewsAt().toString(),
                    "retry_after",
                    Math.max(1, state.renewsIn().toSeconds())));
          });
    }
  }
}
