package dev.superstep.definition.web;

import dev.superstep.context.PromptContext;
import dev.superstep.definition.form.DottedKeys;
import dev.superstep.graph.Violations;
import dev.superstep.problem.ErrorCode;
import dev.superstep.problem.FieldError;
import dev.superstep.problem.ServiceException;
import dev.superstep.state.value.ListValue;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.state.value.Value;
import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Reads the context of a preview: objects become dotted keys (P1), entries without an id get one.
final class PreviewInput {
  private final Violations violations = new Violations();

  private PreviewInput() {}

  /// @throws ServiceException with everything that is wrong with it
  static PromptContext read(PreviewRequest.@Nullable ContextInput input) {
    if (input == null) {
      throw ServiceException.at(
          "/context", ErrorCode.MISSING_FIELD, "is missing; send a prompt context, {} for none");
    }
    var reading = new PreviewInput();
    var context = reading.context(input);
    if (reading.violations.hasErrors()) {
      throw new ServiceException(
          ErrorCode.INVALID_VALUE,
          "the context cannot be used",
          FieldError.of(reading.violations.errors()));
    }
    return context;
  }

  private PromptContext context(PreviewRequest.ContextInput input) {
    var history = ListValue.builder();
    var times = ListValue.builder();
    entries(input.history(), history, times);
    return new PromptContext(
        input.template() == null ? "" : input.template(),
        flat("/context/variables", input.variables()),
        history.build(),
        times.build(),
        flat("/context/metadata", input.metadata()));
  }

  private ObjectValue flat(String at, @Nullable ObjectValue tree) {
    if (tree == null) {
      return ObjectValue.empty();
    }
    var flat = DottedKeys.flatten(tree);
    flat.problems().forEach(it -> violations.error(it.under(at)));
    return flat.keys();
  }

  private void entries(
      @Nullable ListValue entries, ListValue.Builder history, ListValue.Builder times) {
    if (entries == null) {
      return;
    }
    var ids = new HashSet<String>();
    for (int i = 0; i < entries.size(); i++) {
      if (entries.get(i) instanceof ObjectValue entry) {
        times.add(entry.getOr("timestamp", Value.NULL));
        history.add(identified(entry.minus("timestamp"), i, ids));
      } else {
        refuse(i, ErrorCode.WRONG_TYPE, "must be an object, an entry of the history");
      }
    }
  }

  private ObjectValue identified(ObjectValue entry, int place, Set<String> ids) {
    var identified = entry.has("id") ? entry : entry.plus("id", Value.of("entry-" + place));
    if (!(identified.get("id") instanceof Value.Text(var id)) || !ids.add(id)) {
      refuse(place, ErrorCode.INVALID_VALUE, "needs an id of its own, a string");
    }
    if (!(identified.get("node_id") instanceof Value.Text)) {
      refuse(place, ErrorCode.MISSING_FIELD, "needs a node_id, a string: the node that wrote it");
    }
    return identified;
  }

  private void refuse(int place, ErrorCode code, String message) {
    violations.error("/context/history/" + place, code.code(), message);
  }
}
