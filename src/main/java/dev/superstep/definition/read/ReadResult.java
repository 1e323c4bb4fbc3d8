package dev.superstep.definition.read;

import dev.superstep.definition.check.GraphPlan;
import dev.superstep.definition.testing.TestCase;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.violation.Violation;
import java.util.List;
import java.util.Optional;

/// The result of reading a definition.
///
/// @param definition in long form, as far as it could be read
/// @param graphPlan empty exactly when there are errors
/// @param tests which are no part of the definition that is stored
public record ReadResult(
    ObjectValue definition,
    Optional<GraphPlan> graphPlan,
    List<TestCase> tests,
    List<Violation> errors,
    List<Violation> warnings) {}
