package dev.superstep.engine.budget;

/// What calls of chat models have cost.
///
/// @param calls that were begun, answered or not
/// @param inputTokens as the providers count them; 0 where one does not say
/// @param outputTokens likewise
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

  /// What of this is not in `counted`. Nothing is ever taken back: who is deleted has spent it all
  /// the same.
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
