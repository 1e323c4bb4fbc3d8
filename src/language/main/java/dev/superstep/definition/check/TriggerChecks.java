package dev.superstep.definition.check;

import dev.superstep.definition.Codes;
import dev.superstep.definition.form.Item;
import dev.superstep.definition.form.TriggerTables;
import dev.superstep.expression.Expressions;
import dev.superstep.expression.InvalidExpressionException;
import dev.superstep.graph.Location;
import dev.superstep.graph.Violation;
import dev.superstep.state.ValueCheck;
import dev.superstep.state.value.ObjectValue;

/// Checks what starts runs of a graph by itself.
final class TriggerChecks {
  private final Expressions expressions;
  private final ValueCheck inputs;

  /// @param inputs of the graph
  TriggerChecks(Expressions expressions, ValueCheck inputs) {
    this.expressions = expressions;
    this.inputs = inputs;
  }

  void check(ObjectValue graph, Location at) {
    for (var trigger : Item.each(graph, TriggerTables.TRIGGERS, at)) {
      if (trigger.has(TriggerTables.SCHEDULE) && trigger.has(TriggerTables.WEBHOOK)) {
        trigger.error(
            TriggerTables.WEBHOOK, Codes.NOT_APPLICABLE, "a trigger is a schedule or a webhook");
      } else if (trigger.object().isEmpty()) {
        trigger.at().error(Codes.MISSING_FIELD, "needs a schedule or a webhook that starts runs");
      }
      if (trigger.has(TriggerTables.SCHEDULE)) {
        checkInput(trigger.in(TriggerTables.SCHEDULE));
      }
      check(trigger.in(TriggerTables.WEBHOOK));
    }
  }

  /// Each start would be refused.
  private void checkInput(Item schedule) {
    inputs
        .check(schedule.objectOrEmpty("input"))
        .forEach(it ->
            schedule
                .at("input")
                .error(Violation.of(it.pointer(), Codes.SCHEMA_VIOLATION, it.message())));
  }

  private void check(Item webhook) {
    webhook
        .findText("when")
        .ifPresent(it -> compiles(() -> expressions.compileHookCondition(it), webhook.at("when")));
    var input = webhook.objectOrEmpty("input");
    compiles(() -> expressions.compileHookTemplate(input), webhook.at("input"));
  }

  private static void compiles(Runnable compiling, Location at) {
    try {
      compiling.run();
    } catch (InvalidExpressionException e) {
      e.violations().forEach(at::error);
    }
  }
}
