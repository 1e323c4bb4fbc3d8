package dev.superstep.context;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Optional;

/// The rules of a filter whose conditions hold.
///
/// @param active the rules to apply
/// @param failures conditions that failed and count as false
record ActiveRules(BitSet active, List<FailedCondition> failures) {

  /// @param conditions one for each rule
  /// @param pointers of the rules in the definition
  static ActiveRules of(
      List<Optional<ContextCondition>> conditions,
      List<String> pointers,
      PromptContext context,
      ConditionScope scope) {
    var active = new BitSet(conditions.size());
    var failures = new ArrayList<FailedCondition>();
    for (int i = 0; i < conditions.size(); i++) {
      var condition = conditions.get(i);
      if (condition.isEmpty()
          || holds(condition.get(), pointers.get(i) + "/condition", context, scope, failures)) {
        active.set(i);
      }
    }
    return new ActiveRules(active, failures);
  }

  static ActiveRules of(ContextCondition condition, PromptContext context, ConditionScope scope) {
    var active = new BitSet(1);
    var failures = new ArrayList<FailedCondition>();
    active.set(0, holds(condition, "/condition", context, scope, failures));
    return new ActiveRules(active, failures);
  }

  /// Whatever a condition throws counts as false, and is named (P5, P10).
  private static boolean holds(
      ContextCondition condition,
      String rule,
      PromptContext context,
      ConditionScope scope,
      List<FailedCondition> failures) {
    try {
      return condition.test().holds(context, scope);
    } catch (RuntimeException e) {
      failures.add(new FailedCondition(rule, condition.source(), String.valueOf(e.getMessage())));
      return false;
    }
  }
}
