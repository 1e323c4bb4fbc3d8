package dev.superstep.context;

import dev.superstep.state.value.ListValue;
import dev.superstep.state.value.ObjectValue;
import java.util.EnumMap;
import java.util.Map;

/// Applies a [PartFilter] to each filtered part; all other parts pass unchanged.
final class PartFilters {
  private final Map<Part, PartFilter> partFilters;

  PartFilters(Map<Part, PartFilter> partFilters) {
    this.partFilters = partFilters.isEmpty() ? Map.of() : new EnumMap<>(partFilters);
  }

  /// The same instance if everything passes.
  PromptContext apply(PromptContext context, Trace trace) {
    var history = partFilters.get(Part.HISTORY);
    var entries = new Entries(context.history(), context.times());
    return context.with(
        members(Part.VARIABLES, context.variables(), trace),
        members(Part.METADATA, context.metadata(), trace),
        history == null ? entries : history.entries(entries, trace));
  }

  private ObjectValue members(Part part, ObjectValue members, Trace trace) {
    var partFilter = partFilters.get(part);
    return partFilter == null ? members : partFilter.members(members, part, trace);
  }

  /// Whether a key of a part would pass.
  boolean keeps(Part part, String key) {
    var partFilter = partFilters.get(part);
    return partFilter == null || partFilter.keeps(key);
  }

  static PromptContext templateOnly(PromptContext context, Trace trace, Trace.Reason reason) {
    if (trace.isOn()) {
      context.variables().forEach((key, _) -> trace.dropped(Part.VARIABLES, key, reason));
      context.metadata().forEach((key, _) -> trace.dropped(Part.METADATA, key, reason));
      context.history().forEach(it -> trace.dropped(Part.HISTORY, Entries.id(it), reason));
    }
    return new PromptContext(
        context.template(),
        ObjectValue.empty(),
        ListValue.empty(),
        ListValue.empty(),
        ObjectValue.empty());
  }
}
