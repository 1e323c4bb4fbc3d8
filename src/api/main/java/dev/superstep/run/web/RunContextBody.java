package dev.superstep.run.web;

import dev.superstep.state.value.ObjectValue;
import dev.superstep.state.value.Value;
import org.jspecify.annotations.Nullable;

/// The prompt context in the request to start a run.
record RunContextBody(
    @Nullable String template, @Nullable ObjectValue variables, @Nullable ObjectValue metadata) {

  ObjectValue read() {
    var context = ObjectValue.empty();
    if (template != null) {
      context = context.plus("template", Value.of(template));
    }
    if (variables != null) {
      context = context.plus("variables", variables);
    }
    return metadata == null ? context : context.plus("metadata", metadata);
  }
}
