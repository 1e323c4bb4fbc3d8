package dev.superstep.expression;

import dev.cel.common.values.CelByteString;
import dev.cel.runtime.CelFunctionBinding;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.stream.LongStream;

/// Bodies of CEL's lists extension, of what goes through lists in its math extension, and of its
/// encoders: with their costs paid before they are run.
@SuppressWarnings({"unchecked", "Immutable"}) // CEL's RuntimeEquality is immutable
final class ListFunctions {
  private static final int LEVELS_MAX = 200;
  private final Equality equality;

  public ListFunctions(Equality equality) {
    this.equality = equality;
  }

  public List<CelFunctionBinding> bindings() {
    var lists = Collection.class;
    return List.of(
        CelFunctionBinding.from(
            "list_slice",
            List.of(lists, Long.class, Long.class),
            it -> slice((Collection<Object>) it[0], (Long) it[1], (Long) it[2])),
        CelFunctionBinding.from("list_flatten", lists, it -> flatten(it, 1)),
        CelFunctionBinding.from("list_flatten_list_int", lists, Long.class, ListFunctions::flatten),
        CelFunctionBinding.from("lists_range", Long.class, ListFunctions::range),
        CelFunctionBinding.from("list_distinct", lists, this::distinct),
        CelFunctionBinding.from("list_reverse", lists, ListFunctions::reverse),
        CelFunctionBinding.from("list_sort", lists, it -> sorted(it, Order::compare)),
        CelFunctionBinding.from("list_sortByAssociatedKeys", lists, ListFunctions::sortedByKeys),
        CelFunctionBinding.from("math_@max_list_dyn", List.class, it -> greatest(it)),
        CelFunctionBinding.from("math_@min_list_dyn", List.class, it -> least(it)),
        CelFunctionBinding.from("base64_encode_bytes", CelByteString.class, ListFunctions::encode),
        CelFunctionBinding.from("base64_decode_string", String.class, ListFunctions::decode));
  }

  private static List<Object> slice(Collection<Object> list, long from, long to) {
    if (from < 0 || to < from || to > list.size()) {
      throw CelProblem.of(
          "slice: from %d to %d is no part of a list of %d items".formatted(from, to, list.size()));
    }
    WorkBudget.current().copy(to - from);
    return new ArrayList<>(items(list).subList((int) from, (int) to));
  }

  private static List<Object> items(Collection<?> list) {
    return list instanceof List<?> ? (List<Object>) list : new ArrayList<>(list);
  }

  private static List<Object> flatten(Collection<?> list, long levels) {
    if (levels < 0) {
      throw CelProblem.of("flatten: the number of levels must not be negative");
    }
    var flat = new ArrayList<Object>();
    flatten(list, Math.min(levels, LEVELS_MAX), flat);
    return flat;
  }

  /// Lists that share their items count as often as they occur.
  private static void flatten(Collection<?> list, long levels, List<Object> flat) {
    var workBudget = WorkBudget.current();
    for (var item : list) {
      if (item instanceof Collection<?> inner && levels > 0) {
        workBudget.visit(1);
        flatten(inner, levels - 1, flat);
      } else {
        workBudget.copy(1);
        flat.add(item);
        workBudget.requireLength(flat.size());
      }
    }
  }

  private static List<Long> range(long size) {
    WorkBudget.current().copy(size);
    return LongStream.range(0, size).boxed().toList();
  }

  private List<Object> distinct(Collection<?> list) {
    var workBudget = WorkBudget.current();
    workBudget.copy(list.size());
    var scalars = new HashSet<Object>();
    var others = new ArrayList<Object>();
    var found = new ArrayList<Object>();
    for (var item : list) {
      if (isScalar(item)) {
        workBudget.spend(item instanceof String text ? text.length() >> 1 : 1);
        if (scalars.add(number(item))) {
          found.add(item);
        }
      } else if (!equality.contains(others, item)) {
        others.add(item);
        found.add(item);
      }
    }
    return found;
  }

  private static boolean isScalar(Object item) {
    return item instanceof String
        || item instanceof Long
        || item instanceof Double
        || item instanceof Boolean;
  }

  /// Equal numbers of different types are one.
  private static Object number(Object item) {
    return item instanceof Double real && real == real.longValue() && Math.abs(real) < 1L << 53
        ? Long.valueOf(real.longValue())
        : item;
  }

  private static List<Object> reverse(Collection<?> list) {
    WorkBudget.current().copy(list.size());
    var reversed = new ArrayList<Object>(list);
    Collections.reverse(reversed);
    return reversed;
  }

  /// Stable.
  private static <T> List<T> sorted(Collection<T> list, Comparator<Object> order) {
    WorkBudget.current().copy(list.size());
    var sorted = new ArrayList<T>(list);
    if (sorted.size() == 1) {
      order.compare(sorted.getFirst(), sorted.getFirst()); // refuses what has no order
    }
    sorted.sort(order);
    return sorted;
  }

  /// Sorts the pairs of key and item that the macro `sortBy` makes.
  private static List<Object> sortedByKeys(Collection<List<Object>> pairs) {
    Comparator<Object> byKey =
        (a, b) -> Order.compare(((List<?>) a).getFirst(), ((List<?>) b).getFirst());
    var sorted = new ArrayList<Object>();
    sorted(pairs, byKey).forEach(it -> sorted.add(it.get(1)));
    return sorted;
  }

  private static Object greatest(List<?> list) {
    numbers("math.greatest", list);
    return Aggregates.max(list);
  }

  private static Object least(List<?> list) {
    numbers("math.least", list);
    return Aggregates.min(list);
  }

  private static void numbers(String function, List<?> list) {
    WorkBudget.current().visit(list.size());
    for (var item : list) {
      if (!(item instanceof Number)) {
        throw CelProblem.wrongType(function, "numbers in the list", item);
      }
    }
  }

  private static String encode(CelByteString bytes) {
    WorkBudget.current().write(bytes.size() * 4L / 3 + 4);
    return Base64.getEncoder().encodeToString(bytes.toByteArray());
  }

  private static CelByteString decode(String text) {
    WorkBudget.current().write(text.length());
    try {
      return CelByteString.of(Base64.getDecoder().decode(text));
    } catch (IllegalArgumentException e) {
      throw CelProblem.of("base64.decode: no base64 text: " + e.getMessage());
    }
  }

  /// The order of scalars, paid for comparison by comparison.
  private static final class Order {
    private Order() {}

    static int compare(Object left, Object right) {
      WorkBudget.current().visit(2);
      if (left instanceof String a && right instanceof String b) {
        WorkBudget.current().spend(Math.min(a.length(), b.length()) >> 1);
      }
      return switch (left) {
        case Boolean a when right instanceof Boolean b -> a.compareTo(b);
        case Instant a when right instanceof Instant b -> a.compareTo(b);
        case Duration a when right instanceof Duration b -> a.compareTo(b);
        default -> Aggregates.compare("sort", left, right);
      };
    }
  }
}
