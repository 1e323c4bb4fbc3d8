package dev.superstep.definition.check;

import dev.superstep.definition.Codes;
import dev.superstep.definition.form.Item;
import dev.superstep.definition.form.TriggerTables;
import dev.superstep.expression.Expressions;
import dev.superstep.expression.InvalidExpressionException;
import dev.superstep.expression.TriggerKind;
import dev.superstep.graph.Location;
import dev.superstep.graph.Violation;
import dev.superstep.state.ValueCheck;
import dev.superstep.state.value.ObjectValue;
import java.util.List;

/// Checks what starts runs of a graph by itself.
final class TriggerChecks {
  private static final List<String> KINDS =
      List.of(TriggerTables.SCHEDULE, TriggerTables.WEBHOOK, TriggerTables.EVENT);

  private static final String ONE_OF = "a schedule, a webhook or an event";

  private final Expressions expressions;
  private final ValueCheck inputs;

  /// @param inputs of the graph
  TriggerChecks(Expressions expressions, ValueCheck inputs) {
    this.expressions = expressions;
    this.inputs = inputs;
  }

  void check(ObjectValue graph, Location at) {
    for (var trigger : Item.each(graph, TriggerTables.TRIGGERS, at)) {
      var kinds = KINDS.stream().filter(trigger::has).toList();
      if (kinds.size() > 1) {
        trigger.error(kinds.getLast(), Codes.NOT_APPLICABLE, "a trigger is " + ONE_OF);
      } else if (trigger.object().isEmpty()) {
        trigger.at().error(Codes.MISSING_FIELD, "needs %s that starts runs".formatted(ONE_OF));
      }
      if (trigger.has(TriggerTables.SCHEDULE)) {
        checkInput(trigger.in(TriggerTables.SCHEDULE));
      }
      check(trigger.in(TriggerTables.WEBHOOK), TriggerKind.WEBHOOK, "when");
      check(trigger.in(TriggerTables.EVENT), TriggerKind.EVENT, "match");
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

  private void check(Item trigger, TriggerKind kind, String condition) {
    trigger
        .findText(condition)
        .ifPresent(
            it -> compiles(() -> expressions.compileCondition(kind, it), trigger.at(condition)));
    var input = trigger.objectOrEmpty("input");
    compiles(() -> expressions.compileTemplate(kind, input), trigger.at("input"));
  }

  private static void compiles(Runnable compiling, Location at) {
    try {
      compiling.run();
    } catch (InvalidExpressionException e) {
      e.violations().forEach(at::error);
    }
  }
}
