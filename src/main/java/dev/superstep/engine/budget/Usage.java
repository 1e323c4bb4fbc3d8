package dev.superstep.engine.budget;

/// Calls and tokens that a task or run has spent on chat models.
///
/// @param calls that were begun, answered or not
/// @param inputTokens as the providers count them; 0 where a provider reports none
/// @param outputTokens as the providers count them; 0 where a provider reports none
public record Usage(long calls, long inputTokens, long outputTokens) {
  public static final Usage NOTHING = new Usage(0, 0, 0);

  public Usage plus(Usage other) {
    return other.isNothing()
        ? this
        : new Usage(
            calls + other.calls,
            inputTokens + other.inputTokens,
            outputTokens + other.outputTokens);
  }

  /// The part of this that is not in `counted`. Usage is never taken back, not even of a deleted
  /// run.
  public Usage beyond(Usage counted) {
    return new Usage(
        Math.max(0, calls - counted.calls),
        Math.max(0, inputTokens - counted.inputTokens),
        Math.max(0, outputTokens - counted.outputTokens));
  }

  public boolean isNothing() {
    return calls == 0 && inputTokens == 0 && outputTokens == 0;
  }

  public long totalTokens() {
    return inputTokens + outputTokens;
  }
}
