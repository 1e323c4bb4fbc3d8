package dev.superstep.definition.store;

import dev.superstep.definition.form.Fields;
import dev.superstep.state.value.ListValue;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.state.value.Value;
import dev.superstep.violation.Violation;
import java.util.ArrayList;
import java.util.List;

/// Converts problems to and from their stored form: a list of `{pointer, code, message, line?,
/// column?}`.
final class ProblemValues {
  private ProblemValues() {}

  static ListValue write(List<Violation> violations) {
    return ListValue.of(violations.stream().map(ProblemValues::write).toList());
  }

  private static ObjectValue write(Violation violation) {
    var object =
        ObjectValue.of("pointer", Value.of(violation.pointer()))
            .plus("code", Value.of(violation.code()))
            .plus("message", Value.of(violation.message()));
    return violation.hasPosition()
        ? object
            .plus("line", Value.of(violation.line()))
            .plus("column", Value.of(violation.column()))
        : object;
  }

  static List<Violation> read(Value stored) {
    var violations = new ArrayList<Violation>();
    if (stored instanceof ListValue list) {
      for (var item : list) {
        if (item instanceof ObjectValue object) {
          violations.add(read(new Fields(object)));
        }
      }
    }
    return violations;
  }

  private static Violation read(Fields fields) {
    return new Violation(
        fields.text("pointer").orElse(""),
        fields.text("code").orElse(""),
        fields.text("message").orElse(""),
        fields.count("line").orElse(0),
        fields.count("column").orElse(0));
  }
}
