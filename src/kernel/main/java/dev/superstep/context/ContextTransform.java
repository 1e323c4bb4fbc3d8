package dev.superstep.context;

import dev.superstep.state.value.Value;
import java.util.List;
import java.util.Optional;

/// A named transform of values in a prompt context (P6). Users register theirs as Spring beans; the
/// bean's name is what definitions call, as `name` or `name(arguments)` with literal arguments.
///
/// It must be pure: results are cached. If it throws, the task fails with
/// `context_transform_failed`: the value that it should have changed never gets through.
@FunctionalInterface
public interface ContextTransform {

  /// @param arguments as written in the definition
  Value apply(Value value, List<Value> arguments);

  /// One sentence for people.
  default String description() {
    return "";
  }

  /// Why it cannot take these arguments, if so; asked when a definition is posted.
  default Optional<String> refuse(List<Value> arguments) {
    return Optional.empty();
  }
}
