package dev.superstep.run.check;

import dev.superstep.context.PromptContext;
import dev.superstep.definition.form.DottedKeys;
import dev.superstep.graph.UncheckedValue;
import dev.superstep.graph.Violation;
import dev.superstep.graph.Violations;
import dev.superstep.problem.ErrorCode;
import dev.superstep.state.value.ObjectValue;
import java.util.Set;

/// Reads the `context` of a request (P1, P2), which is applied on top of the existing context.
/// Objects become dotted keys; lists and empty objects are leaves.
public final class ContextRequest {
  private static final Set<String> KEYS = Set.of("template", "variables", "metadata");

  private ContextRequest() {}

  /// @param violations collects what is wrong with it
  public static PromptContext over(
      PromptContext base, ObjectValue requested, Violations violations) {
    var context =
        new UncheckedValue(
            requested, violations.root().key("context"), (wanted, _) -> "must be " + wanted);
    context.refuseOthers(KEYS, _ -> "context has template, variables and metadata");
    return new PromptContext(
        context.key("template").text().orElse(base.template()),
        base.variables().plusAll(flat(context.key("variables"))),
        base.history(),
        base.times(),
        base.metadata().plusAll(flat(context.key("metadata"))));
  }

  private static ObjectValue flat(UncheckedValue tree) {
    var flat = DottedKeys.flatten(tree.objectOrEmpty());
    flat.problems()
        .forEach(it ->
            tree.at()
                .error(Violation.of(it.pointer(), ErrorCode.INVALID_VALUE.code(), it.message())));
    return flat.keys();
  }
}
