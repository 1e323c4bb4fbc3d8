package dev.superstep.context;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Optional;

/// Which of a filter's conditions hold.
///
/// @param active the rules to apply
/// @param failures conditions that failed and count as false
record Held(BitSet active, List<FailedCondition> failures) {

  /// @param conditions one for each rule
  /// @param places of the rules in the definition
  static Held of(
      List<Optional<ContextCondition>> conditions,
      List<String> places,
      PromptContext context,
      Surroundings around) {
    var active = new BitSet(conditions.size());
    var failures = new ArrayList<FailedCondition>();
    for (int i = 0; i < conditions.size(); i++) {
      var condition = conditions.get(i);
      if (condition.isEmpty()
          || holds(condition.get(), places.get(i) + "/condition", context, around, failures)) {
        active.set(i);
      }
    }
    return new Held(active, failures);
  }

  static Held of(ContextCondition condition, PromptContext context, Surroundings around) {
    var active = new BitSet(1);
    var failures = new ArrayList<FailedCondition>();
    active.set(0, holds(condition, "/condition", context, around, failures));
    return new Held(active, failures);
  }

  /// Whatever a condition throws counts as false, and is named (P5, P10).
  private static boolean holds(
      ContextCondition condition,
      String rule,
      PromptContext context,
      Surroundings around,
      List<FailedCondition> failures) {
    try {
      return condition.test().holds(context, around);
    } catch (RuntimeException e) {
      failures.add(new FailedCondition(rule, condition.source(), String.valueOf(e.getMessage())));
      return false;
    }
  }
}
