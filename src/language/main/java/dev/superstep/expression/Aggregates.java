package dev.superstep.expression;

import dev.cel.common.exceptions.CelNumericOverflowException;
import dev.superstep.state.value.Canonical;
import java.util.List;
import java.util.function.IntPredicate;

/// Implements `sum`, `avg`, `min`, `max` over a list.
final class Aggregates {
  private Aggregates() {}

  /// Ints stay ints; one double makes the sum a double. Nothing adds up to 0.
  static Object sum(List<?> list) {
    WorkBudget.current().visit(list.size());
    long ints = 0;
    double doubles = 0;
    boolean whole = true;
    for (var item : list) {
      switch (item) {
        case Long number -> {
          ints = add(ints, number);
          doubles += number;
        }
        case Double number -> {
          whole = false;
          doubles += number;
        }
        default -> throw CelProblem.wrongType("sum", "numbers in the list", item);
      }
    }
    if (whole) {
      return ints;
    }
    return doubles;
  }

  private static long add(long left, long right) {
    try {
      return Math.addExact(left, right);
    } catch (ArithmeticException e) {
      throw new CelNumericOverflowException(e);
    }
  }

  static double avg(List<?> list) {
    if (list.isEmpty()) {
      throw CelProblem.of("avg: an empty list has no average");
    }
    var sum = sum(list);
    return (sum instanceof Long whole ? whole.doubleValue() : (Double) sum) / list.size();
  }

  static Object min(List<?> list) {
    return best("min", list, order -> order < 0);
  }

  static Object max(List<?> list) {
    return best("max", list, order -> order > 0);
  }

  /// The first of several equal ones.
  private static Object best(String function, List<?> list, IntPredicate better) {
    WorkBudget.current().visit(list.size());
    if (list.isEmpty()) {
      throw CelProblem.of("%s: the list is empty".formatted(function));
    }
    Object best = list.getFirst();
    for (var item : list) {
      if (better.test(compare(function, item, best))) {
        best = item;
      }
    }
    return best;
  }

  static int compare(String function, Object left, Object right) {
    if (left instanceof String a && right instanceof String b) {
      return Canonical.KEYS.compare(a, b);
    }
    if (left instanceof Long a && right instanceof Long b) {
      return a.compareTo(b);
    }
    if (left instanceof Number a && right instanceof Number b) {
      return Double.compare(a.doubleValue(), b.doubleValue());
    }
    throw CelProblem.wrongType(function, "numbers only or strings only", left);
  }
}
