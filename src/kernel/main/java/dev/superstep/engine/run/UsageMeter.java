package dev.superstep.engine.run;

import java.math.BigDecimal;

/// Counts what a task spends on models, and stops it when its run has nothing left to spend. The
/// usage is stored with the outcome of the task, whatever that is. Safe for use by several threads
/// of one attempt.
public interface UsageMeter {
  /// Counts nothing.
  UsageMeter NONE =
      new UsageMeter() {
        @Override
        public void check() {}

        @Override
        public void begin() {}

        @Override
        public void add(long inputTokens, long outputTokens, CachedInput cached) {}

        @Override
        public void charge(BigDecimal cost) {}
      };

  /// To be called before something is begun that will make requests on this budget.
  ///
  /// @throws TaskFailedException as [#begin] does
  void check();

  /// To be called before each request to a model.
  ///
  /// @throws TaskFailedException with `max_model_calls_exceeded` or `max_tokens_exceeded`: the
  ///   request must not be made
  void begin();

  /// Adds the tokens that a provider reports for the request.
  ///
  /// @param cached part of the input
  void add(long inputTokens, long outputTokens, CachedInput cached);

  /// Adds the tokens that a provider without a cache reports for the request.
  default void add(long inputTokens, long outputTokens) {
    add(inputTokens, outputTokens, CachedInput.NOTHING);
  }

  /// Adds what the request cost; not to be called where that is not known.
  void charge(BigDecimal cost);
}
