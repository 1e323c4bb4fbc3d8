package dev.superstep.context.read;

import dev.superstep.context.ContextCondition;
import dev.superstep.context.ContextProblem;
import dev.superstep.context.ContextProblem.Level;
import dev.superstep.state.value.ListValue;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.state.value.Value;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// A location in a declaration, which collects the problems at and below it.
final class RuleNotes {
  /// At most this many rules or patterns are allowed in one list.
  static final int ITEMS_MAX = 1000;

  private final String pointer;
  private final List<ContextProblem> problems;

  RuleNotes() {
    this("", new ArrayList<>());
  }

  private RuleNotes(String pointer, List<ContextProblem> problems) {
    this.pointer = pointer;
    this.problems = problems;
  }

  /// @param path begins with a slash
  RuleNotes at(String path) {
    return new RuleNotes(pointer + path, problems);
  }

  RuleNotes beside(String path) {
    return new RuleNotes(pointer.substring(0, pointer.lastIndexOf('/')) + path, problems);
  }

  void error(String code, String message) {
    problems.add(new ContextProblem(Level.ERROR, pointer, code, message, 0, 0));
  }

  void error(String code, ContextCondition.Invalid invalid) {
    var message = String.valueOf(invalid.getMessage());
    problems.add(
        new ContextProblem(Level.ERROR, pointer, code, message, invalid.line(), invalid.column()));
  }

  void warn(String code, String message) {
    problems.add(new ContextProblem(Level.WARNING, pointer, code, message, 0, 0));
  }

  List<ContextProblem> all() {
    return problems;
  }

  Optional<String> text(@Nullable Value value) {
    if (value instanceof Value.Text(var text)) {
      return Optional.of(text);
    }
    refuseType(value, "a string");
    return Optional.empty();
  }

  Optional<ObjectValue> object(@Nullable Value value) {
    if (value instanceof ObjectValue object) {
      return Optional.of(object);
    }
    refuseType(value, "an object");
    return Optional.empty();
  }

  Optional<ListValue> list(@Nullable Value value) {
    if (!(value instanceof ListValue list)) {
      refuseType(value, "a list");
      return Optional.empty();
    }
    if (list.size() > ITEMS_MAX) {
      error("too_many", "at most %d are allowed".formatted(ITEMS_MAX));
      return Optional.empty();
    }
    return Optional.of(list);
  }

  /// Null counts as absent.
  private void refuseType(@Nullable Value value, String wanted) {
    if (value != null && !(value instanceof Value.Null)) {
      error("wrong_type", "must be %s, not %s".formatted(wanted, value.typeName()));
    }
  }

  /// Keys that are not known here are errors.
  void requireKeys(ObjectValue object, Set<String> known, String what) {
    object.forEach((key, _) -> {
      if (!known.contains(key)) {
        at("/" + key.replace("~", "~0").replace("/", "~1"))
            .error(
                "unknown_field",
                "there is no key '%s' in %s; there are %s"
                    .formatted(key, what, String.join(", ", known)));
      }
    });
  }

  /// Keys that have no meaning beside the other keys.
  void refuse(ObjectValue object, List<String> keys, String because) {
    for (var key : keys) {
      if (!isAbsent(object.get(key))) {
        at("/" + key)
            .error("not_applicable", "'%s' means nothing here: %s".formatted(key, because));
      }
    }
  }

  static boolean isAbsent(@Nullable Value value) {
    return value == null
        || value instanceof Value.Null
        || (value instanceof ListValue list && list.isEmpty());
  }
}
