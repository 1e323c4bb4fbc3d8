package dev.superstep.run.web;

import dev.superstep.context.PromptContext;
import dev.superstep.state.value.ListValue;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.state.value.Value;
import io.swagger.v3.oas.annotations.media.Schema;
import java.util.ArrayList;

/// A prompt context in answers.
@Schema(name = "PromptContext")
record ContextBody(
    String template, ObjectValue variables, ListValue history, ObjectValue metadata) {

  public static ContextBody of(PromptContext context) {
    return new ContextBody(
        context.template(), context.variables(), history(context), context.metadata());
  }

  private static ListValue history(PromptContext context) {
    var entries = new ArrayList<Value>();
    for (int i = 0; i < context.history().size(); i++) {
      var entry = context.history().get(i);
      entries.add(
          entry instanceof ObjectValue object && i < context.times().size()
              ? object.plus("timestamp", context.times().get(i))
              : entry);
    }
    return ListValue.of(entries);
  }
}
