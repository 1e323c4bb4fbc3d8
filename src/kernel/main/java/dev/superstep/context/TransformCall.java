package dev.superstep.context;

import dev.superstep.state.value.Value;
import java.util.List;
import java.util.Objects;

/// A call of a transform, as a rule writes it (P6).
public sealed interface TransformCall {
  /// As written.
  String source();

  /// Replaces values.
  record OfValue(String source, ContextTransform transform, List<Value> arguments)
      implements TransformCall {
    public OfValue {
      arguments = List.copyOf(arguments);
    }

    /// @throws ContextException if it fails
    public Value apply(Value value) {
      try {
        return Objects.requireNonNull(transform.apply(value, arguments), "it returned null");
      } catch (RuntimeException e) {
        throw new ContextException(
            ContextException.TRANSFORM_FAILED,
            "transform %s: %s".formatted(source, e.getMessage()),
            e);
      }
    }
  }

  /// Replaces null, and adds the key if the rule's pattern is one and there is none.
  record Default(String source, Value value) implements TransformCall {}

  /// Replaces keys.
  ///
  /// @param to a key whose stars stand for what the stars of the rule's pattern matched
  record Rename(String source, String to) implements TransformCall {}
}
