package dev.superstep.definition;

import dev.superstep.state.ListValue;
import dev.superstep.state.ObjectValue;
import dev.superstep.state.Value;
import java.util.ArrayList;
import java.util.List;

/// Problems as stored: a list of `{pointer, code, message, line?, column?}`.
final class ProblemValues {
  private ProblemValues() {}

  static ListValue write(List<Problem> problems) {
    return ListValue.of(problems.stream().map(ProblemValues::write).toList());
  }

  private static ObjectValue write(Problem problem) {
    var object =
        ObjectValue.of("pointer", Value.of(problem.pointer()))
            .plus("code", Value.of(problem.code()))
            .plus("message", Value.of(problem.message()));
    return problem
        .position()
        .map(it -> object.plus("line", Value.of(it.line())).plus("column", Value.of(it.column())))
        .orElse(object);
  }

  static List<Problem> read(Value stored) {
    var problems = new ArrayList<Problem>();
    if (stored instanceof ListValue list) {
      for (var item : list) {
        if (item instanceof ObjectValue object) {
          problems.add(read(new Fields(object)));
        }
      }
    }
    return problems;
  }

  private static Problem read(Fields fields) {
    return new Problem(
        fields.text("pointer").orElse(""),
        fields.text("code").orElse(""),
        fields.text("message").orElse(""),
        fields
            .count("line")
            .flatMap(line -> fields.count("column").map(it -> new Problem.Position(line, it))));
  }
}
