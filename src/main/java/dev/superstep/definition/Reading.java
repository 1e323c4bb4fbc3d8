package dev.superstep.definition;

import dev.superstep.state.ObjectValue;
import java.util.List;
import java.util.Optional;

/// What came of reading a definition.
///
/// @param definition in long form, as far as it could be read
/// @param plan empty exactly when there are errors
record Reading(
    ObjectValue definition, Optional<Plan> plan, List<Problem> errors, List<Problem> warnings) {}
