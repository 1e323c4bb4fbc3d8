package dev.superstep.context;

import dev.superstep.graph.Location;
import dev.superstep.graph.UncheckedValue;
import dev.superstep.state.value.ListValue;
import dev.superstep.state.value.ObjectValue;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/// What readers of rules ask of values.
final class RuleValues {
  /// At most this many rules or patterns are allowed in one list.
  static final int ITEMS_MAX = 1000;

  private RuleValues() {}

  static UncheckedValue of(ObjectValue object, Location at) {
    return new UncheckedValue(
        object, at, (wanted, found) -> "must be %s, not %s".formatted(wanted, found.typeName()));
  }

  /// Empty if it is absent, no list, or too long.
  static Optional<List<UncheckedValue>> items(UncheckedValue list) {
    var found = list.list();
    if (found.isPresent() && found.get().size() > ITEMS_MAX) {
      list.at().error("too_many", "at most %d are allowed".formatted(ITEMS_MAX));
      return Optional.empty();
    }
    return found.map(_ -> list.items());
  }

  /// An empty list counts as absent.
  static boolean isAbsent(UncheckedValue value) {
    return value.isAbsent() || (value.value() instanceof ListValue list && list.isEmpty());
  }

  /// The string at a key that must be there.
  static Optional<String> required(UncheckedValue object, String key) {
    var member = object.key(key);
    if (isAbsent(member)) {
      member.at().error("missing_field", "'%s' is missing".formatted(key));
    }
    return member.text();
  }

  /// Keys that are not known here are errors.
  static void requireKeys(UncheckedValue object, Set<String> known, String what) {
    object.refuseOthers(
        known,
        key ->
            "there is no key '%s' in %s; there are %s"
                .formatted(key, what, String.join(", ", known)));
  }

  /// Keys that have no meaning beside the other keys.
  static void refuse(UncheckedValue object, List<String> keys, String because) {
    for (var key : keys) {
      var member = object.key(key);
      if (!isAbsent(member)) {
        member.at().error("not_applicable", "'%s' means nothing here: %s".formatted(key, because));
      }
    }
  }
}
