package dev.superstep.expression;

import dev.cel.common.CelOptions;
import dev.cel.runtime.RuntimeEquality;
import dev.cel.runtime.RuntimeHelpers;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// CEL's equality, paid for item by item: lists that share structure compare exponentially.
@SuppressWarnings("ReferenceEquality") // only as a short cut
final class Equality {
  private final RuntimeEquality leaves;

  Equality(CelOptions options) {
    leaves = RuntimeEquality.create(RuntimeHelpers.create(), options);
  }

  boolean equal(Object left, Object right) {
    return equal(left, right, Budget.current());
  }

  private boolean equal(Object left, Object right, Budget budget) {
    budget.visit(1);
    if (left == right) {
      return true;
    }
    return switch (left) {
      case String text -> {
        budget.spend(text.length() >> 1);
        yield text.equals(right);
      }
      case List<?> list -> right instanceof List<?> other && equalLists(list, other, budget);
      case Map<?, ?> map -> right instanceof Map<?, ?> other && equalMaps(map, other, budget);
      case Optional<?> optional ->
          right instanceof Optional<?> other && equalOptionals(optional, other, budget);
      default -> leaves.objectEquals(left, right);
    };
  }

  private boolean equalLists(List<?> left, List<?> right, Budget budget) {
    if (left.size() != right.size() || isSame(left, right)) {
      return left.size() == right.size();
    }
    var others = right.iterator();
    for (var item : left) {
      if (!equal(item, others.next(), budget)) {
        return false;
      }
    }
    return true;
  }

  private static boolean isSame(List<?> left, List<?> right) {
    return left instanceof CelValues.Items a
        && right instanceof CelValues.Items b
        && a.value() == b.value();
  }

  private boolean equalMaps(Map<?, ?> left, Map<?, ?> right, Budget budget) {
    if (left.size() != right.size()) {
      return false;
    }
    for (var entry : left.entrySet()) {
      var other = find(right, entry.getKey(), budget);
      if (other.isEmpty() || !equal(entry.getValue(), other.get(), budget)) {
        return false;
      }
    }
    return true;
  }

  private boolean equalOptionals(Optional<?> left, Optional<?> right, Budget budget) {
    return (left.isPresent() && right.isPresent())
        ? equal(left.get(), right.get(), budget)
        : left.isPresent() == right.isPresent();
  }

  boolean contains(List<?> list, Object value) {
    var budget = Budget.current();
    for (var item : list) {
      if (equal(item, value, budget)) {
        return true;
      }
    }
    return false;
  }

  /// The value under a key; numbers are equal as keys when they are equal by value.
  Optional<Object> find(Map<?, ?> map, Object key) {
    return find(map, key, Budget.current());
  }

  private Optional<Object> find(Map<?, ?> map, Object key, Budget budget) {
    budget.visit(1);
    Budget.requireScalar(key);
    return leaves.findInMap(map, key);
  }
}
