package dev.superstep.state;

import dev.superstep.state.value.ListValue;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.state.value.Value;
import org.jspecify.annotations.Nullable;

/// Calls a user's merge; whatever goes wrong in it is a failed reduction.
final class UserMerge {
  /// How deep a result may be nested, like every value from outside.
  private static final int DEPTH_MAX = 200;

  private UserMerge() {}

  static Value call(Reducer.Custom custom, Value left, Value right) {
    @Nullable Value merged;
    try {
      merged = custom.function().merge(left, right);
    } catch (ReduceException e) {
      throw e;
    } catch (RuntimeException | StackOverflowError e) {
      var said = e.getMessage() == null ? e.getClass().getSimpleName() : e.getMessage();
      throw new ReduceException("", "%s failed: %s".formatted(custom.name(), said), e);
    }
    if (merged == null) {
      throw new ReduceException("", custom.name() + " returned nothing; JSON null is a value");
    }
    if (isDeeper(merged, DEPTH_MAX)) {
      throw new ReduceException(
          "", "%s returned more than %d levels".formatted(custom.name(), DEPTH_MAX));
    }
    return merged;
  }

  private static boolean isDeeper(Value value, int levels) {
    if (value instanceof ListValue list) {
      return isAnyDeeper(list, levels);
    }
    return value instanceof ObjectValue object && isAnyDeeper(object.asMap().values(), levels);
  }

  private static boolean isAnyDeeper(Iterable<Value> values, int levels) {
    for (var value : values) {
      if (levels == 0 || isDeeper(value, levels - 1)) {
        return true;
      }
    }
    return false;
  }
}
