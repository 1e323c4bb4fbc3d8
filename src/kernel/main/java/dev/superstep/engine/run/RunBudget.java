package dev.superstep.engine.run;

import dev.superstep.graph.Limits;
import dev.superstep.state.value.Value;
import dev.superstep.tenant.Tenant;
import java.math.BigDecimal;
import java.util.Set;

/// Enforces what a run may spend on models: `max_model_calls` and `max_tokens` of its limits. All
/// its tasks draw on it, so that in parallel they make no more calls than in sequence; tokens are
/// known when an answer is there, so calls that are under way may exceed them.
public final class RunBudget {
  public static final String CALLS_EXCEEDED = "max_model_calls_exceeded";
  public static final String TOKENS_EXCEEDED = "max_tokens_exceeded";

  /// A budget of the operator's, of many runs, has nothing left for the call.
  public static final String EXHAUSTED = "budget_exhausted";

  /// Key in an error's details: the run whose budget is used up.
  public static final String WHOSE = "budget_of";

  private static final Set<String> CODES = Set.of(CALLS_EXCEEDED, TOKENS_EXCEEDED);

  private final Limits limits;
  private long calls;
  private long tokens;

  /// @param spent usage that is stored with the run
  public RunBudget(Limits limits, Usage spent) {
    this.limits = limits;
    calls = spent.calls();
    tokens = spent.totalTokens();
  }

  /// Whether the failure is a used-up budget: no edge handles it and no retry helps (E39).
  public static boolean isUsedUp(TaskError error) {
    return isOfRun(error) || error.code().equals(EXHAUSTED);
  }

  /// Whether the failure is a used-up budget of a run, which a resume with higher limits raises.
  public static boolean isOfRun(TaskError error) {
    return CODES.contains(error.code());
  }

  /// Whether the limits set a budget.
  public static boolean isIn(Limits limits) {
    return limits.modelCallsMax().isPresent() || limits.tokensMax().isPresent();
  }

  /// The unspent part of the budget.
  public synchronized Allowance left() {
    return new Allowance(
        limits.modelCallsMax().map(it -> Math.toIntExact(Math.max(0, it - calls))),
        limits.tokensMax().map(it -> Math.max(0, it - tokens)));
  }

  /// Charges what child runs have spent to this budget (E41).
  public synchronized void count(Usage spent) {
    calls += spent.calls();
    tokens += spent.totalTokens();
  }

  /// Names this budget in the failure of a child run that shared it and failed because it is used
  /// up.
  ///
  /// @param run whose budget this is
  public ChildEnd explain(ChildEnd end, String run) {
    if (!(end instanceof ChildEnd.Failed(var error, var spent)) || !isOver(error.code())) {
      return end;
    }
    var explained =
        new TaskError(
            error.code(),
            "the budget of run '%s' is used up: %s".formatted(Tenant.shown(run), error.message()),
            error.retryable(),
            error.retryAfter(),
            error.details().plus(WHOSE, Tenant.shown(run)));
    return new ChildEnd.Failed(explained, spent);
  }

  private boolean isOver(String code) {
    var left = left();
    return switch (code) {
      case CALLS_EXCEEDED -> left.calls().filter(it -> it == 0).isPresent();
      case TOKENS_EXCEEDED -> left.tokens().filter(it -> it == 0).isPresent();
      default -> false;
    };
  }

  private synchronized void begin() {
    check();
    calls++;
  }

  private synchronized void check() {
    limits
        .modelCallsMax()
        .filter(it -> calls >= it)
        .ifPresent(it -> {
          throw exceeded(CALLS_EXCEEDED, "max_model_calls", it, calls, "calls of models");
        });
    limits
        .tokensMax()
        .filter(it -> tokens >= it)
        .ifPresent(it -> {
          throw exceeded(TOKENS_EXCEEDED, "max_tokens", it, tokens, "tokens");
        });
  }

  private synchronized void add(long spent) {
    tokens += spent;
  }

  private static TaskFailedException exceeded(
      String code, String limit, long max, long spent, String what) {
    var message =
        "the run has spent %d %s and may spend %d; resume with a higher limits.%s"
            .formatted(spent, what, max, limit);
    return new TaskFailedException(
        TaskError.permanent(code, message)
            .with("spent", Value.of(spent))
            .with("limit", Value.of(max)));
  }

  /// Counts what one attempt draws.
  public static final class BudgetReservation implements UsageMeter {
    private final RunBudget runBudget;
    private Usage spent = Usage.NOTHING;
    private boolean closed;

    public BudgetReservation(RunBudget runBudget) {
      this.runBudget = runBudget;
    }

    @Override
    public void check() {
      runBudget.check();
    }

    @Override
    public synchronized void begin() {
      if (closed) {
        throw new TaskFailedException(
            TaskError.retryable("node_interrupted", "nobody waits for this attempt any more"));
      }
      runBudget.begin();
      spent = spent.plus(new Usage(1, 0, 0));
    }

    @Override
    public synchronized void add(long inputTokens, long outputTokens, CachedInput cached) {
      if (closed) {
        return;
      }
      runBudget.add(inputTokens + outputTokens);
      spent = spent.plus(new Usage(0, inputTokens, outputTokens).with(cached));
    }

    @Override
    public synchronized void charge(BigDecimal cost) {
      if (!closed) {
        spent = spent.plus(new Usage(0, 0, 0, new Cost(1, cost)));
      }
    }

    /// Closes an abandoned attempt. It begins no other call, whose usage would not be stored.
    public synchronized void close() {
      closed = true;
    }

    public synchronized Usage spent() {
      return spent;
    }
  }
}
