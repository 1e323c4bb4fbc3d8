package dev.superstep.node.spec;

/// The table DispatchPolicyDefinition of the language.
public interface DispatchPolicySpec {
  /// The first success is enough
  DispatchPolicySpec firstWins(boolean value);

  /// Dispatches of one task at a time
  DispatchPolicySpec maxConcurrency(long value);

  /// So many successes are enough: the other dispatches are cancelled
  DispatchPolicySpec minSucceeded(long value);

  /// How many failures do not matter, or below 1 which share of the dispatches; one more cancels
  /// the other dispatches
  DispatchPolicySpec toleratedFailures(double value);
}
