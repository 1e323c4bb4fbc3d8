package dev.superstep.testing;

import dev.superstep.graph.Pointer;
import dev.superstep.state.value.Canonical;
import dev.superstep.state.value.ListValue;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.state.value.Value;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Compares a value with the part of it that is expected: objects may have other members, lists
/// must have as many items.
final class MemberMatch {
  private static final int DIFFERENCES_MAX = 20;
  private static final int SHOWN_MAX = 200;

  private MemberMatch() {}

  /// @param actual empty: there is none
  record Difference(String pointer, String message, Value expected, Optional<Value> actual) {}

  static List<Difference> differences(ObjectValue expected, ObjectValue actual) {
    var found = new ArrayList<Difference>();
    compare("", expected, actual, found);
    return found;
  }

  private static void compare(
      String pointer, Value expected, Value actual, List<Difference> found) {
    if (found.size() >= DIFFERENCES_MAX) {
      return;
    }
    if (expected instanceof ObjectValue members && actual instanceof ObjectValue object) {
      members.forEach(
          (key, value) -> member(Pointer.child(pointer, key), value, object.get(key), found));
    } else if (expected instanceof ListValue items
        && actual instanceof ListValue list
        && items.size() == list.size()) {
      for (int i = 0; i < items.size(); i++) {
        compare(Pointer.child(pointer, i), items.get(i), list.get(i), found);
      }
    } else if (!same(expected, actual)) {
      found.add(
          new Difference(
              pointer,
              "is %s, expected is %s".formatted(shown(actual), shown(expected)),
              expected,
              Optional.of(actual)));
    }
  }

  private static void member(
      String pointer, Value expected, @Nullable Value actual, List<Difference> found) {
    if (actual != null) {
      compare(pointer, expected, actual, found);
    } else if (found.size() < DIFFERENCES_MAX) {
      found.add(
          new Difference(
              pointer,
              "is not there, expected is %s".formatted(shown(expected)),
              expected,
              Optional.empty()));
    }
  }

  private static boolean same(Value left, Value right) {
    return left.equals(right) || (number(left).isPresent() && number(left).equals(number(right)));
  }

  private static Optional<Double> number(Value value) {
    return switch (value) {
      case Value.Int(var number) -> Optional.of((double) number);
      case Value.Real(var number) -> Optional.of(number);
      default -> Optional.empty();
    };
  }

  private static String shown(Value value) {
    var text = Canonical.text(value);
    return text.length() <= SHOWN_MAX ? text : text.substring(0, SHOWN_MAX) + "…";
  }
}
