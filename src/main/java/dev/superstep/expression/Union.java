package dev.superstep.expression;

import dev.superstep.state.Canonical;
import dev.superstep.state.ListValue;
import dev.superstep.state.ObjectValue;
import dev.superstep.state.Value;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;

/// Each value once: scalars sorted (null, booleans, numbers, strings), then lists and objects as
/// they came. The same as the reducer `union`.
final class Union {
  private static final Comparator<Value> ORDER =
      Comparator.<Value>comparingInt(Union::rank).thenComparing(Union::compareEqualRank);

  private Union() {}

  static ListValue of(ListValue left, ListValue right) {
    var distinct = new LinkedHashSet<>(left.asList());
    distinct.addAll(right.asList());
    List<Value> scalars = new ArrayList<>();
    List<Value> others = new ArrayList<>();
    distinct.forEach(it -> (rank(it) < rank(ListValue.empty()) ? scalars : others).add(it));
    scalars.sort(ORDER);
    scalars.addAll(others);
    return ListValue.of(scalars);
  }

  private static int rank(Value value) {
    return switch (value) {
      case Value.Null _ -> 0;
      case Value.Bool(var flag) -> flag ? 2 : 1;
      case Value.Int _, Value.Real _ -> 3;
      case Value.Text _ -> 4;
      case ListValue _, ObjectValue _ -> 5;
    };
  }

  private static int compareEqualRank(Value left, Value right) {
    if (left instanceof Value.Text(var a) && right instanceof Value.Text(var b)) {
      return Canonical.KEYS.compare(a, b);
    }
    if (left instanceof Value.Int(var a) && right instanceof Value.Int(var b)) {
      return Long.compare(a, b);
    }
    int order = Double.compare(number(left), number(right));
    return order == 0
        ? Boolean.compare(left instanceof Value.Real, right instanceof Value.Real)
        : order;
  }

  private static double number(Value value) {
    return switch (value) {
      case Value.Int(var number) -> number;
      case Value.Real(var number) -> number;
      default -> 0;
    };
  }
}
