package dev.superstep.node.spec;

import java.time.Duration;

/// The table RetryDefinition of the language.
public interface RetrySpec {
  /// Pause before the second attempt
  RetrySpec initialInterval(Duration value);

  /// Random share of the pause
  RetrySpec jitter(double value);

  /// Attempts in all
  RetrySpec maxAttempts(long value);

  /// Longest pause
  RetrySpec maxInterval(Duration value);

  /// Growth of the pause
  RetrySpec multiplier(double value);

  /// Codes never to retry
  @Key(form = Key.Form.ITEM)
  RetrySpec noRetryOn(String... items);

  /// Codes to retry; default: retryable ones
  @Key(form = Key.Form.ITEM)
  RetrySpec retryOn(String... items);
}
