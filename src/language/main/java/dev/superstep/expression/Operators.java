package dev.superstep.expression;

import dev.cel.common.exceptions.CelAttributeNotFoundException;
import dev.cel.common.exceptions.CelIndexOutOfBoundsException;
import dev.cel.common.values.CelByteString;
import dev.cel.runtime.CelFunctionBinding;
import dev.cel.runtime.RuntimeHelpers;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Our own bodies for those standard overloads that CEL does not bound.
@SuppressWarnings({"unchecked", "rawtypes", "Immutable"}) // CEL's RuntimeEquality is immutable
final class Operators {
  private final Equality equality;

  public Operators(Equality equality) {
    this.equality = equality;
  }

  public List<CelFunctionBinding> bindings() {
    return List.of(
        CelFunctionBinding.from("add_string", String.class, String.class, Operators::concat),
        CelFunctionBinding.from(
            "add_bytes", CelByteString.class, CelByteString.class, Operators::concat),
        CelFunctionBinding.from("add_list", List.class, List.class, Operators::concat),
        CelFunctionBinding.from("equals", Object.class, Object.class, equality::equal),
        CelFunctionBinding.from(
            "not_equals", Object.class, Object.class, (a, b) -> !equality.equal(a, b)),
        CelFunctionBinding.from(
            "in_list", Object.class, List.class, (item, list) -> equality.contains(list, item)),
        CelFunctionBinding.from(
            "in_map", Object.class, Map.class, (key, map) -> equality.find(map, key).isPresent()),
        CelFunctionBinding.from("index_list", List.class, Number.class, Operators::item),
        CelFunctionBinding.from("index_map", Map.class, Object.class, this::member),
        CelFunctionBinding.from("matches", String.class, String.class, Operators::matches),
        CelFunctionBinding.from("matches_string", String.class, String.class, Operators::matches),
        CelFunctionBinding.from(
            "contains_string", String.class, String.class, StringFunctions::contains));
  }

  /// Bodies for the two-variable comprehensions and for optionals.
  public List<CelFunctionBinding> libraryBindings() {
    return List.of(
        CelFunctionBinding.from("cel_@mapInsert_map_map", Map.class, Map.class, this::insertAll),
        CelFunctionBinding.from(
            "cel_@mapInsert_map_key_value",
            List.of(Map.class, Object.class, Object.class),
            args -> insert((Map<Object, Object>) args[0], args[1], args[2])),
        CelFunctionBinding.from("optional_value", Object.class, Operators::valueOf),
        CelFunctionBinding.from(
            "optional_hasValue", Object.class, it -> optional("hasValue", it).isPresent()),
        CelFunctionBinding.from(
            "list_optindex_optional_int", List.class, Long.class, Operators::maybeItem),
        CelFunctionBinding.from(
            "map_optindex_optional_value", Map.class, Object.class, equality::find),
        CelFunctionBinding.from(
            "optional_list_optindex_optional_int", Optional.class, Long.class, this::maybeIndex),
        CelFunctionBinding.from(
            "optional_map_optindex_optional_value", Optional.class, Object.class, this::maybeIndex),
        CelFunctionBinding.from(
            "optional_list_index_int", Optional.class, Long.class, this::maybeIndex),
        CelFunctionBinding.from(
            "optional_map_index_value", Optional.class, Object.class, this::maybeIndex));
  }

  private static String concat(String left, String right) {
    WorkBudget.current().write((long) left.length() + right.length());
    return left.concat(right);
  }

  private static CelByteString concat(CelByteString left, CelByteString right) {
    WorkBudget.current().write((long) left.size() + right.size());
    return left.concat(right);
  }

  private static List concat(List left, List right) {
    WorkBudget.current().requireLength((long) left.size() + right.size());
    WorkBudget.current().copy(right.size());
    if (!isAccumulator(left)) {
      WorkBudget.current().copy(left.size());
    }
    return RuntimeHelpers.concat(left, right);
  }

  /// Comprehensions append in place.
  private static boolean isAccumulator(List list) {
    return list instanceof dev.cel.runtime.ConcatenatedListView;
  }

  private static Object item(List list, Number index) {
    return maybeItem(list, index).orElseThrow(() -> new CelIndexOutOfBoundsException(index));
  }

  private static Optional<Object> maybeItem(List list, Number index) {
    long position = index.longValue();
    boolean whole = !(index instanceof Double) || index.doubleValue() == position;
    return whole && position >= 0 && position < list.size()
        ? Optional.of(list.get((int) position))
        : Optional.empty();
  }

  private Object member(Map map, Object key) {
    return equality
        .find(map, key)
        .orElseThrow(
            () -> CelAttributeNotFoundException.forMissingMapKey(shorten(String.valueOf(key))));
  }

  private Optional<Object> maybeIndex(Optional container, Object key) {
    if (container.isEmpty()) {
      return Optional.empty();
    }
    return switch (container.get()) {
      case List list when key instanceof Number index -> maybeItem(list, index);
      case Map map -> equality.find(map, key);
      case Object other -> throw CelProblem.wrongType("index", "a list or a map", other);
    };
  }

  private static Optional<Object> optional(String function, Object value) {
    if (value instanceof Optional optional) {
      return optional;
    }
    throw CelProblem.wrongType(function, "an optional", value);
  }

  private static Object valueOf(Object value) {
    return optional("value", value)
        .orElseThrow(() -> CelProblem.of("the optional has no value; use orValue(default)"));
  }

  private Map<Object, Object> insertAll(Map<?, ?> target, Map<?, ?> more) {
    var grown = accumulator(target);
    more.forEach((key, value) -> put(grown, key, value));
    return grown;
  }

  private Map<Object, Object> insert(Map<?, ?> target, Object key, Object value) {
    var grown = accumulator(target);
    put(grown, key, value);
    return grown;
  }

  private void put(Accumulator grown, Object key, Object value) {
    if (equality.find(grown, key).isPresent()) {
      throw CelProblem.of("the key '%s' is there twice".formatted(shorten(String.valueOf(key))));
    }
    WorkBudget.current().copy(1);
    grown.put(key, value);
    WorkBudget.current().requireLength(grown.size());
  }

  private static Accumulator accumulator(Map<?, ?> target) {
    if (target instanceof Accumulator grown) {
      return grown;
    }
    WorkBudget.current().copy(target.size());
    return new Accumulator(target);
  }

  /// The map that a comprehension builds. Only its loop can reach it, so it may grow in place.
  private static final class Accumulator extends HashMap<Object, Object> {
    private static final long serialVersionUID = 1L;

    Accumulator(Map<?, ?> start) {
      super(start);
    }
  }

  /// RE2: linear in the text.
  private static boolean matches(String text, String regex) {
    var workBudget = WorkBudget.current();
    return workBudget.patterns().find(text, regex, workBudget);
  }

  private static String shorten(String text) {
    return shorten(text, 80);
  }

  public static String shorten(String text, int max) {
    return text.length() <= max ? text : text.substring(0, max) + "…";
  }
}
