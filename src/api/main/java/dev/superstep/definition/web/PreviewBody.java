package dev.superstep.definition.web;

import dev.superstep.context.PromptContext;
import dev.superstep.context.Trace;
import dev.superstep.problem.FieldError;
import dev.superstep.prompt.ContextFailure;
import dev.superstep.prompt.ContextItem;
import dev.superstep.state.value.ListValue;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.state.value.Value;
import io.swagger.v3.oas.annotations.media.Schema;
import java.util.List;

/// The answer to a preview of a prompt context: the view, and the reasons for it item by item.
@Schema(name = "ContextPreview")
record PreviewBody(
    ViewBody context,
    List<ContextItem> items,
    List<ContextFailure> failures,
    List<String> unmet,
    List<FieldError> warnings) {

  static PreviewBody of(
      PromptContext view, Trace trace, List<String> unmet, List<FieldError> warnings) {
    return new PreviewBody(
        ViewBody.of(view),
        trace.items().stream().map(ContextItem::of).toList(),
        trace.failures().stream().map(ContextFailure::of).toList(),
        unmet,
        warnings);
  }

  @Schema(name = "ContextView")
  record ViewBody(String template, ObjectValue variables, ListValue history, ObjectValue metadata) {

    static ViewBody of(PromptContext view) {
      return new ViewBody(view.template(), view.variables(), history(view), view.metadata());
    }

    private static ListValue history(PromptContext view) {
      var entries = ListValue.builder();
      for (int i = 0; i < view.history().size(); i++) {
        var entry = view.history().get(i);
        var time = i < view.times().size() ? view.times().get(i) : Value.NULL;
        entries.add(
            entry instanceof ObjectValue object && time instanceof Value.Text
                ? object.plus("timestamp", time)
                : entry);
      }
      return entries.build();
    }
  }
}
