package dev.superstep.context;

import dev.superstep.state.ListValue;
import dev.superstep.state.ObjectValue;
import java.util.EnumMap;
import java.util.Map;

/// One [Sieve] for each part that is sifted; the others pass whole.
final class Screen {
  private final Map<Part, Sieve> sieves;

  Screen(Map<Part, Sieve> sieves) {
    this.sieves = sieves.isEmpty() ? Map.of() : new EnumMap<>(sieves);
  }

  /// The same instance if everything passes.
  PromptContext apply(PromptContext context, Trace trace) {
    var history = sieves.get(Part.HISTORY);
    var entries = new Entries(context.history(), context.times());
    return context.with(
        members(Part.VARIABLES, context.variables(), trace),
        members(Part.METADATA, context.metadata(), trace),
        history == null ? entries : history.entries(entries, trace));
  }

  private ObjectValue members(Part part, ObjectValue members, Trace trace) {
    var sieve = sieves.get(part);
    return sieve == null ? members : sieve.members(members, part, trace);
  }

  /// Whether a key of a part would pass.
  boolean keeps(Part part, String key) {
    var sieve = sieves.get(part);
    return sieve == null || sieve.keeps(key);
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
