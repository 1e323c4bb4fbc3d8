package dev.superstep.node.spec;

import java.time.Duration;

/// The table GraphLimits of the language.
public interface GraphLimitsSpec {
  /// Tasks of a run at a time
  GraphLimitsSpec maxConcurrency(long value);

  /// Dispatches of a run
  GraphLimitsSpec maxDispatches(long value);

  /// Model calls of a run
  GraphLimitsSpec maxModelCalls(long value);

  /// Node supersteps of a run
  GraphLimitsSpec maxSupersteps(long value);

  /// Tokens of a run
  GraphLimitsSpec maxTokens(long value);

  /// Wall time of a run, interruptions not counted
  GraphLimitsSpec timeout(Duration value);
}
