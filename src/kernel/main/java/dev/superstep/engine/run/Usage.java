package dev.superstep.engine.run;

/// Calls and tokens that a task or run has spent on chat models.
///
/// @param calls that were begun, answered or not
/// @param inputTokens as the providers count them; 0 where a provider reports none
/// @param outputTokens as the providers count them; 0 where a provider reports none
/// @param cost of those calls of which it is known
/// @param cached part of the input tokens
public record Usage(
    long calls, long inputTokens, long outputTokens, Cost cost, CachedInput cached) {
  public static final Usage NOTHING = new Usage(0, 0, 0);

  /// Usage whose cost is not known.
  public Usage(long calls, long inputTokens, long outputTokens) {
    this(calls, inputTokens, outputTokens, Cost.NOTHING);
  }

  /// Usage without caches.
  public Usage(long calls, long inputTokens, long outputTokens, Cost cost) {
    this(calls, inputTokens, outputTokens, cost, CachedInput.NOTHING);
  }

  public Usage plus(Usage other) {
    return other.isNothing()
        ? this
        : new Usage(
            calls + other.calls,
            inputTokens + other.inputTokens,
            outputTokens + other.outputTokens,
            cost.plus(other.cost),
            cached.plus(other.cached));
  }

  /// This usage, of whose input so much was read from a cache or written into one.
  public Usage with(CachedInput part) {
    return new Usage(calls, inputTokens, outputTokens, cost, part);
  }

  /// The part of this that is not in `counted`. Usage is never taken back, not even of a deleted
  /// run.
  public Usage beyond(Usage counted) {
    return new Usage(
        Math.max(0, calls - counted.calls),
        Math.max(0, inputTokens - counted.inputTokens),
        Math.max(0, outputTokens - counted.outputTokens),
        cost.beyond(counted.cost),
        cached.beyond(counted.cached));
  }

  public boolean isNothing() {
    return calls == 0
        && inputTokens == 0
        && outputTokens == 0
        && cost.isNothing()
        && cached.isNothing();
  }

  /// How many calls the cost lacks.
  public long unpricedCalls() {
    return Math.max(0, calls - cost.calls());
  }

  public long totalTokens() {
    return inputTokens + outputTokens;
  }
}
