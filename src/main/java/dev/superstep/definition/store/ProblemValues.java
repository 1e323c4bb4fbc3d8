package dev.superstep.definition.store;

import dev.superstep.definition.DefinitionProblem;
import dev.superstep.definition.form.Fields;
import dev.superstep.state.value.ListValue;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.state.value.Value;
import java.util.ArrayList;
import java.util.List;

/// Converts problems to and from their stored form: a list of `{pointer, code, message, line?,
/// column?}`.
final class ProblemValues {
  private ProblemValues() {}

  static ListValue write(List<DefinitionProblem> definitionProblems) {
    return ListValue.of(definitionProblems.stream().map(ProblemValues::write).toList());
  }

  private static ObjectValue write(DefinitionProblem definitionProblem) {
    var object =
        ObjectValue.of("pointer", Value.of(definitionProblem.pointer()))
            .plus("code", Value.of(definitionProblem.code()))
            .plus("message", Value.of(definitionProblem.message()));
    return definitionProblem
        .position()
        .map(it -> object.plus("line", Value.of(it.line())).plus("column", Value.of(it.column())))
        .orElse(object);
  }

  static List<DefinitionProblem> read(Value stored) {
    var definitionProblems = new ArrayList<DefinitionProblem>();
    if (stored instanceof ListValue list) {
      for (var item : list) {
        if (item instanceof ObjectValue object) {
          definitionProblems.add(read(new Fields(object)));
        }
      }
    }
    return definitionProblems;
  }

  private static DefinitionProblem read(Fields fields) {
    return new DefinitionProblem(
        fields.text("pointer").orElse(""),
        fields.text("code").orElse(""),
        fields.text("message").orElse(""),
        fields
            .count("line")
            .flatMap(line ->
                fields.count("column").map(it -> new DefinitionProblem.Position(line, it))));
  }
}
