package dev.superstep.run.check;

import dev.superstep.context.PromptContext;
import dev.superstep.definition.form.DottedKeys;
import dev.superstep.json.Pointer;
import dev.superstep.problem.ErrorCode;
import dev.superstep.state.value.ListValue;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.state.value.Value;
import java.util.Set;

/// Reads the `context` of a request (P1, P2), which is applied on top of the existing context.
/// Objects become dotted keys; lists and empty objects are leaves.
public final class ContextRequest {
  private static final Set<String> KEYS = Set.of("template", "variables", "metadata");
  private static final String POINTER = "/context";

  private ContextRequest() {}

  /// @param requestViolations collects what is wrong with it
  public static PromptContext over(
      PromptContext base, ObjectValue asked, RequestViolations requestViolations) {
    for (var key : asked.asMap().keySet()) {
      if (!KEYS.contains(key)) {
        requestViolations.add(
            Pointer.child(POINTER, key),
            ErrorCode.UNKNOWN_FIELD,
            "context has template, variables and metadata");
      }
    }
    return new PromptContext(
        template(base, asked, requestViolations),
        base.variables().plusAll(flat(asked, "variables", requestViolations)),
        base.history(),
        base.times(),
        base.metadata().plusAll(flat(asked, "metadata", requestViolations)));
  }

  private static String template(
      PromptContext base, ObjectValue asked, RequestViolations requestViolations) {
    var template = asked.get("template");
    if (template == null || template instanceof Value.Null) {
      return base.template();
    }
    if (template instanceof Value.Text(var text)) {
      return text;
    }
    requestViolations.add(POINTER + "/template", ErrorCode.WRONG_TYPE, "must be a string");
    return base.template();
  }

  private static ObjectValue flat(
      ObjectValue asked, String part, RequestViolations requestViolations) {
    return switch (asked.getOr(part, Value.NULL)) {
      case ObjectValue object -> flatten(object, POINTER + "/" + part, requestViolations);
      case Value.Null _ -> ObjectValue.empty();
      case ListValue _, Value.Bool _, Value.Int _, Value.Real _, Value.Text _ -> {
        requestViolations.add(POINTER + "/" + part, ErrorCode.WRONG_TYPE, "must be an object");
        yield ObjectValue.empty();
      }
    };
  }

  private static ObjectValue flatten(
      ObjectValue tree, String pointer, RequestViolations requestViolations) {
    var flat = DottedKeys.flatten(tree);
    flat.problems()
        .forEach(it ->
            requestViolations.add(pointer + it.pointer(), ErrorCode.INVALID_VALUE, it.message()));
    return flat.keys();
  }
}
