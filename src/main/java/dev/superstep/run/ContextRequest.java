package dev.superstep.run;

import dev.superstep.context.PromptContext;
import dev.superstep.definition.DottedKeys;
import dev.superstep.json.Pointer;
import dev.superstep.problem.ErrorCode;
import dev.superstep.state.ListValue;
import dev.superstep.state.ObjectValue;
import dev.superstep.state.Value;
import java.util.Set;

/// The `context` of a request (P1, P2): what it says goes on top of what is there. Objects become
/// dotted keys; lists and empty objects are leaves.
final class ContextRequest {
  private static final Set<String> KEYS = Set.of("template", "variables", "metadata");
  private static final String POINTER = "/context";

  private ContextRequest() {}

  /// @param complaints takes what is wrong with it
  static PromptContext over(PromptContext base, ObjectValue asked, Complaints complaints) {
    for (var key : asked.asMap().keySet()) {
      if (!KEYS.contains(key)) {
        complaints.add(
            Pointer.child(POINTER, key),
            ErrorCode.UNKNOWN_FIELD,
            "context has template, variables and metadata");
      }
    }
    return new PromptContext(
        template(base, asked, complaints),
        base.variables().plusAll(flat(asked, "variables", complaints)),
        base.history(),
        base.times(),
        base.metadata().plusAll(flat(asked, "metadata", complaints)));
  }

  private static String template(PromptContext base, ObjectValue asked, Complaints complaints) {
    var template = asked.get("template");
    if (template == null || template instanceof Value.Null) {
      return base.template();
    }
    if (template instanceof Value.Text(var text)) {
      return text;
    }
    complaints.add(POINTER + "/template", ErrorCode.WRONG_TYPE, "must be a string");
    return base.template();
  }

  private static ObjectValue flat(ObjectValue asked, String part, Complaints complaints) {
    return switch (asked.getOr(part, Value.NULL)) {
      case ObjectValue object -> flatten(object, POINTER + "/" + part, complaints);
      case Value.Null _ -> ObjectValue.empty();
      case ListValue _, Value.Bool _, Value.Int _, Value.Real _, Value.Text _ -> {
        complaints.add(POINTER + "/" + part, ErrorCode.WRONG_TYPE, "must be an object");
        yield ObjectValue.empty();
      }
    };
  }

  private static ObjectValue flatten(ObjectValue tree, String pointer, Complaints complaints) {
    var flat = DottedKeys.flatten(tree);
    flat.problems()
        .forEach(
            it -> complaints.add(pointer + it.pointer(), ErrorCode.INVALID_VALUE, it.message()));
    return flat.keys();
  }
}
