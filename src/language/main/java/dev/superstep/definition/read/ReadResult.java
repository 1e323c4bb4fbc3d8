package dev.superstep.definition.read;

import dev.superstep.definition.check.GraphPlan;
import dev.superstep.definition.form.LongForm;
import dev.superstep.graph.Violation;
import dev.superstep.state.value.ObjectValue;
import java.util.List;
import java.util.Optional;

/// The result of reading a definition.
///
/// @param longForm as far as it could be read
/// @param graphPlan empty exactly when there are errors
/// @param tests which are no part of the definition that is stored
public record ReadResult(
    LongForm longForm,
    Optional<GraphPlan> graphPlan,
    List<TestCase> tests,
    List<Violation> errors,
    List<Violation> warnings) {

  /// The definition in long form.
  public ObjectValue definition() {
    return longForm.definition();
  }

  /// This result with other problems; with an error among them the graph is not usable.
  public ReadResult with(List<Violation> errors, List<Violation> warnings) {
    return new ReadResult(
        longForm,
        graphPlan.filter(_ -> errors.isEmpty()),
        tests,
        List.copyOf(errors),
        List.copyOf(warnings));
  }
}
