package dev.superstep.model;

import dev.superstep.engine.run.RunHeader;
import java.math.BigDecimal;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Supplier;

/// Admits calls of models to the budgets that the operator has set.
public interface SpendingGate {
  /// Without budgets.
  SpendingGate OPEN = (_, _) -> Reservation.NONE;

  /// Reserves the most that a call can take, in each budget that concerns it or in none. May wait
  /// for calls under way, and holds nothing of the database when it returns.
  ///
  /// @param call computed only if a budget concerns the run
  /// @throws dev.superstep.engine.run.TaskFailedException with `budget_exhausted`, or with
  ///   `budget_needs_bounds` if it is not known what the call can take: it must not be made
  Reservation reserve(RunHeader run, Supplier<CallBound> call) throws InterruptedException;

  /// What is reserved for one call. Counts as spent until it is settled.
  @FunctionalInterface
  interface Reservation {
    /// Of a run without budgets.
    Reservation NONE = _ -> {};

    /// Replaces it by what the call has taken. To be called once at most; not to be called if that
    /// is not known.
    void settle(CallUsage taken) throws InterruptedException;
  }

  /// The most that a call can take.
  ///
  /// @param model by its name in the settings
  /// @param outputTokens empty: unbounded
  /// @param prices empty: not known
  record CallBound(
      String model, long inputTokens, OptionalLong outputTokens, Optional<ModelPrices> prices) {

    /// Of a request to this model.
    public static CallBound of(Model model, ModelRequest request) {
      return new CallBound(
          model.name(), request.inputTokensMax(), model.outputTokensMax(request), model.prices());
    }

    /// Of input and output.
    public OptionalLong tokens() {
      return outputTokens.isPresent()
          ? OptionalLong.of(inputTokens + outputTokens.getAsLong())
          : OptionalLong.empty();
    }

    /// Empty without prices, and without a bound of the output unless that is free.
    public Optional<BigDecimal> money() {
      return prices
          .filter(it -> outputTokens.isPresent() || it.output().signum() == 0)
          .map(it -> it.mostFor(inputTokens, outputTokens.orElse(0)));
    }
  }

  /// What a call has taken.
  ///
  /// @param calls 0 if it was not made
  record CallUsage(long calls, long tokens, BigDecimal money) {
    private static final long TOKENS_MAX = 1_000_000_000_000L;
    private static final int ERRORS = 400;
    private static final int SERVER_ERRORS = 500;
    private static final int TIMEOUT = 408;

    /// Other errors of servers may be those of a proxy that did not wait for the provider.
    private static final Set<Integer> REFUSING = Set.of(500, 501, 503, 529);

    /// Whatever a provider says: it gives nothing back, and breaks no sum.
    public CallUsage {
      tokens = Math.clamp(tokens, 0, TOKENS_MAX);
      money = money.max(BigDecimal.ZERO);
    }

    /// Of a call that was not made.
    public static final CallUsage NOTHING = new CallUsage(0, 0, BigDecimal.ZERO);

    /// Of a call that was answered with a refusal.
    public static final CallUsage REFUSED = new CallUsage(1, 0, BigDecimal.ZERO);

    /// Whether an HTTP status of an error says that the provider has refused the call.
    public static boolean isRefusal(int status) {
      return status < SERVER_ERRORS
          ? status >= ERRORS && status != TIMEOUT
          : REFUSING.contains(status);
    }
  }
}
