package dev.superstep.expression;

import dev.cel.common.CelOptions;
import dev.cel.runtime.RuntimeEquality;
import dev.cel.runtime.RuntimeHelpers;
import dev.superstep.state.value.Identity;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Implements CEL's equality, paid for item by item: lists that share structure compare
/// exponentially.
final class Equality {
  private final RuntimeEquality leaves;

  public Equality(CelOptions options) {
    leaves = RuntimeEquality.create(RuntimeHelpers.create(), options);
  }

  public boolean equal(Object left, Object right) {
    return equal(left, right, WorkBudget.current());
  }

  private boolean equal(Object left, Object right, WorkBudget workBudget) {
    workBudget.visit(1);
    if (Identity.same(left, right)) {
      return true;
    }
    return switch (left) {
      case String text -> {
        workBudget.spend(text.length() >> 1);
        yield text.equals(right);
      }
      case List<?> list -> right instanceof List<?> other && equalLists(list, other, workBudget);
      case Map<?, ?> map -> right instanceof Map<?, ?> other && equalMaps(map, other, workBudget);
      case Optional<?> optional ->
          right instanceof Optional<?> other && equalOptionals(optional, other, workBudget);
      default -> leaves.objectEquals(left, right);
    };
  }

  private boolean equalLists(List<?> left, List<?> right, WorkBudget workBudget) {
    if (left.size() != right.size() || isSame(left, right)) {
      return left.size() == right.size();
    }
    var others = right.iterator();
    for (var item : left) {
      if (!equal(item, others.next(), workBudget)) {
        return false;
      }
    }
    return true;
  }

  private static boolean isSame(List<?> left, List<?> right) {
    return left instanceof CelValues.ListItems a
        && right instanceof CelValues.ListItems b
        && Identity.same(a.value(), b.value());
  }

  private boolean equalMaps(Map<?, ?> left, Map<?, ?> right, WorkBudget workBudget) {
    if (left.size() != right.size()) {
      return false;
    }
    for (var entry : left.entrySet()) {
      var other = find(right, entry.getKey(), workBudget);
      if (other.isEmpty() || !equal(entry.getValue(), other.get(), workBudget)) {
        return false;
      }
    }
    return true;
  }

  private boolean equalOptionals(Optional<?> left, Optional<?> right, WorkBudget workBudget) {
    return (left.isPresent() && right.isPresent())
        ? equal(left.get(), right.get(), workBudget)
        : left.isPresent() == right.isPresent();
  }

  public boolean contains(List<?> list, Object value) {
    var workBudget = WorkBudget.current();
    for (var item : list) {
      if (equal(item, value, workBudget)) {
        return true;
      }
    }
    return false;
  }

  /// The value under a key; numbers are equal as keys when they are equal by value.
  public Optional<Object> find(Map<?, ?> map, Object key) {
    return find(map, key, WorkBudget.current());
  }

  private Optional<Object> find(Map<?, ?> map, Object key, WorkBudget workBudget) {
    workBudget.visit(1);
    WorkBudget.requireScalar(key);
    return leaves.findInMap(map, key);
  }
}
