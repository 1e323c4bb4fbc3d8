package dev.superstep.definition;

import dev.superstep.json.Pointer;
import dev.superstep.state.ListValue;
import dev.superstep.state.Value;
import java.util.ArrayList;
import java.util.List;

/// Collects what is wrong with one definition, in the order in which it is found.
final class Problems {
  /// Whoever has this many errors does not read more of them.
  static final int ERRORS_MAX = 500;

  private final Value document;
  private final List<Problem> errors = new ArrayList<>();
  private final List<Problem> warnings = new ArrayList<>();

  /// @param document as the author wrote it, where one name may stand for a list of one
  Problems(Value document) {
    this.document = document;
  }

  boolean wroteList(String pointer) {
    return Pointer.find(document, pointer).filter(ListValue.class::isInstance).isPresent();
  }

  void error(Problem problem) {
    if (errors.size() < ERRORS_MAX) {
      errors.add(problem);
    }
  }

  void warn(Problem problem) {
    if (warnings.size() < ERRORS_MAX) {
      warnings.add(problem);
    }
  }

  List<Problem> errors() {
    return List.copyOf(errors);
  }

  List<Problem> warnings() {
    return List.copyOf(warnings);
  }
}
