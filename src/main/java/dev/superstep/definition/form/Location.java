package dev.superstep.definition.form;

import dev.superstep.definition.Codes;
import dev.superstep.definition.DefinitionProblem;
import dev.superstep.json.Pointer;
import dev.superstep.state.value.Value;

/// A location in a definition, which collects the problems found there.
public record Location(String pointer, DefinitionProblems problems) {

  public Location key(String key) {
    return new Location(Pointer.child(pointer, key), problems);
  }

  public Location item(int index) {
    return new Location(Pointer.child(pointer, index), problems);
  }

  /// The location of an item of a list that may have been written as its only item.
  public Location name(int index) {
    return problems.wroteList(pointer) ? item(index) : this;
  }

  public void error(String code, String message) {
    problems.error(DefinitionProblem.of(pointer, code, message));
  }

  public void error(DefinitionProblem definitionProblem) {
    problems.error(definitionProblem.under(pointer));
  }

  public void warn(String code, String message) {
    problems.warn(DefinitionProblem.of(pointer, code, message));
  }

  public void warn(DefinitionProblem definitionProblem) {
    problems.warn(definitionProblem.under(pointer));
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
