package dev.superstep.definition;

import dev.superstep.json.Pointer;
import dev.superstep.state.Value;

/// A place in a definition, with somewhere to say what is wrong there.
record Place(String pointer, Problems problems) {

  Place key(String key) {
    return new Place(Pointer.child(pointer, key), problems);
  }

  Place item(int index) {
    return new Place(Pointer.child(pointer, index), problems);
  }

  /// The place of an item of a list that may have been written as its only item.
  Place name(int index) {
    return problems.wroteList(pointer) ? item(index) : this;
  }

  void error(String code, String message) {
    problems.error(Problem.of(pointer, code, message));
  }

  void error(Problem problem) {
    problems.error(problem.under(pointer));
  }

  void warn(String code, String message) {
    problems.warn(Problem.of(pointer, code, message));
  }

  void warn(Problem problem) {
    problems.warn(problem.under(pointer));
  }

  void wrongType(String wanted, Value found) {
    error(Codes.WRONG_TYPE, "must be %s, not %s".formatted(wanted, what(found)));
  }

  private static String what(Value found) {
    return found instanceof Value.Text(var text) && text.contains("{{")
        ? "a template: nothing is evaluated here, write the value out"
        : article(found.typeName());
  }

  private static String article(String type) {
    return switch (type) {
      case "null" -> "null";
      case "array" -> "a list";
      case "integer", "object" -> "an " + type;
      default -> "a " + type;
    };
  }
}
