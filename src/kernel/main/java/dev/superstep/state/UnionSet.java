package dev.superstep.state;

import dev.superstep.state.value.Canonical;
import dev.superstep.state.value.ListValue;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.state.value.Value;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;

/// Implements `union`: each value once. Scalars come first, sorted: null, false, true, numbers by
/// value (1 before 1.0), strings by code point; lists and objects follow in the order in which they
/// came.
public final class UnionSet {
  private static final Comparator<Value> ORDER =
      Comparator.<Value>comparingInt(UnionSet::rank).thenComparing(UnionSet::compareEqualRank);

  private UnionSet() {}

  public static ListValue join(ListValue left, ListValue right) {
    var distinct = new LinkedHashSet<Value>();
    left.forEach(distinct::add);
    right.forEach(distinct::add);
    List<Value> scalars = new ArrayList<>(distinct.size());
    List<Value> others = new ArrayList<>();
    for (var item : distinct) {
      (isScalar(item) ? scalars : others).add(item);
    }
    scalars.sort(ORDER);
    scalars.addAll(others);
    return ListValue.of(scalars);
  }

  private static boolean isScalar(Value value) {
    return !(value instanceof ListValue) && !(value instanceof ObjectValue);
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
    if (Numbers.isNumber(left) && Numbers.isNumber(right)) {
      int order = Numbers.compareNumbers(left, right);
      return order == 0 ? Boolean.compare(isReal(left), isReal(right)) : order;
    }
    return 0;
  }

  private static boolean isReal(Value number) {
    return number instanceof Value.Real;
  }
}
