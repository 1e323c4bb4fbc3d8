package dev.superstep.testing.kit;

import org.jspecify.annotations.Nullable;

/// Speaks in place of what a node, a model or a tool would get from outside.
@FunctionalInterface
public interface Fake {

  /// @return plain data (maps, lists, texts, numbers, booleans, null), a `FunctionResult`, or a
  ///   `NodeException`, with which the call fails as if it were thrown
  @Nullable Object answer(FakeCall call);
}
