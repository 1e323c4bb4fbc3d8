package dev.superstep.expression;

import dev.cel.common.values.NullValue;
import dev.superstep.compute.Tokenizer;
import dev.superstep.graph.ExpressionException;
import dev.superstep.json.Json;
import dev.superstep.json.JsonException;
import dev.superstep.json.JsonLimits;
import dev.superstep.state.UnionSet;
import dev.superstep.state.value.Canonical;
import dev.superstep.state.value.ListValue;
import dev.superstep.state.value.Value;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// Implements `merge`, `union`, `keys`, `values`, `to_json`, `from_json`, `tokens`.
final class DataFunctions {
  private static final int TOKENIZE = 256;
  private static final int TOKENIZE_UNICODE = 1_024;
  private final Tokenizer tokenizer = Tokenizer.usual();

  /// The members of both; the right one's win. Null counts as empty.
  static Map<Object, Object> merge(Object left, Object right) {
    var merged = new HashMap<Object, Object>(map("merge", left));
    var more = map("merge", right);
    WorkBudget.current().copy((long) merged.size() + more.size());
    merged.putAll(more);
    return merged;
  }

  private static Map<?, ?> map(String function, Object value) {
    return switch (value) {
      case NullValue _ -> Map.of();
      case Map<?, ?> map -> map;
      default -> throw CelProblem.wrongType(function, "a map", value);
    };
  }

  static List<?> list(String function, Object value) {
    return switch (value) {
      case NullValue _ -> List.of();
      case List<?> list -> list;
      default -> throw CelProblem.wrongType(function, "a list", value);
    };
  }

  /// As the reducer `union`: each once, scalars sorted.
  static Object union(Object left, Object right) {
    return CelValues.view(UnionSet.join(values(left), values(right)));
  }

  private static ListValue values(Object list) {
    WorkBudget.current().copy(list("union", list).size());
    return value(list("union", list)) instanceof ListValue values ? values : ListValue.empty();
  }

  /// The keys in canonical order.
  static List<Object> keys(Object value) {
    var map = map("keys", value);
    WorkBudget.current().copy(map.size());
    var keys = new ArrayList<Object>(map.keySet());
    if (!(value instanceof CelValues.ObjectMembers)) {
      keys.sort((a, b) -> Canonical.KEYS.compare(String.valueOf(a), String.valueOf(b)));
    }
    return keys;
  }

  /// The values in the order of their keys.
  static List<Object> valuesOf(Object value) {
    var map = map("values", value);
    return keys(value).stream().<Object>map(map::get).toList();
  }

  static String toJson(Object value) {
    var text = Canonical.text(value(value));
    WorkBudget.current().write(text.length());
    return text;
  }

  static Object fromJson(String text) {
    WorkBudget.current().write(text.length());
    try {
      return CelValues.view(Json.read(text, JsonLimits.DEFAULT));
    } catch (JsonException e) {
      throw CelProblem.of("from_json: " + e.problems().getFirst());
    }
  }

  /// Tokens of a string; of anything else, of its JSON text.
  long tokens(Object value) {
    var text = value instanceof String string ? string : toJson(value);
    var workBudget = WorkBudget.current();
    long ascii = text.chars().filter(it -> it < 128).count();
    workBudget.spend(ascii * TOKENIZE + (text.length() - ascii) * TOKENIZE_UNICODE);
    return tokenizer.count(text, workBudget::pause);
  }

  private static Value value(Object value) {
    var workBudget = WorkBudget.current();
    try {
      var converted = CelResults.convert(value, workBudget.limits().result());
      workBudget.visit(CelResults.weight(converted));
      return converted;
    } catch (ExpressionException e) {
      throw e.code().equals(ErrorCodes.TOO_LARGE)
          ? workBudget.exhaust(String.valueOf(e.getMessage()))
          : CelProblem.of(String.valueOf(e.getMessage()));
    }
  }
}
