package dev.superstep.state.value;

/// Counts the tokens of one item of a list. Pure, and safe to call on any thread.
@FunctionalInterface
public interface TokenCounter {
  long count(Value item);
}
