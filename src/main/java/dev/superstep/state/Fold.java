package dev.superstep.state;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/// Folds the changes of one superstep over a frozen state, in task order (E10.4).
///
/// A change is atomic: one that cannot be folded leaves the accumulated state as it was and is
/// reported as a [Problem] of its task.
public interface Fold {

  /// Folds the changes of one task, in order, all or none.
  Optional<Problem> apply(List<Change> changes);

  /// The accumulated state.
  GraphState state();

  /// The channels some change touched.
  Set<String> touched();

  /// The final values of touched channels whose reducer is a [Reducer.Custom], for the delta (E19).
  /// Empty optional: the channel was removed.
  Map<String, Optional<Value>> opaque();

  /// `last_value` channels that more than one task wrote, in order of first conflict.
  List<String> conflicts();

  /// @param code `reducer_failed`, `undeclared_channel`, `append_only`, `schema_violation`, …
  /// @param pointer JSON pointer into the update of the channel
  record Problem(String code, String channel, String pointer, String message) {}
}
