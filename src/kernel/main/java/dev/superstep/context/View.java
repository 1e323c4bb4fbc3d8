package dev.superstep.context;

import java.util.ArrayList;
import java.util.List;

/// The part of a prompt context that passed a filter.
///
/// @param context the same instance that went in where nothing was filtered
/// @param failures conditions that failed and counted as false, for the event `context.filtered`
public record View(PromptContext context, List<FailedCondition> failures) {
  public View {
    failures = List.copyOf(failures);
  }

  public static View of(PromptContext context) {
    return new View(context, List.of());
  }

  /// This view after the failures that came before it.
  public View after(List<FailedCondition> earlier) {
    if (earlier.isEmpty()) {
      return this;
    }
    var all = new ArrayList<>(earlier);
    all.addAll(failures);
    return new View(context, all);
  }
}
