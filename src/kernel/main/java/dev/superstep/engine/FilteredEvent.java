package dev.superstep.engine;

import dev.superstep.context.PromptContext;
import dev.superstep.context.View;
import dev.superstep.state.value.Identity;
import dev.superstep.state.value.ListValue;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.state.value.Value;
import java.util.Optional;

/// Builds the live event that lists what of the run's prompt context a node does not see. It has
/// keys, never values.
final class FilteredEvent {
  public static final String TYPE = "context.filtered";

  /// Keys in one event; the rest is counted.
  private static final int KEYS_MAX = 100;

  private FilteredEvent() {}

  /// Empty if nothing was filtered and no condition failed.
  public static Optional<ObjectValue> of(PromptContext whole, View seen) {
    var context = seen.context();
    if (Identity.same(context, whole) && seen.failures().isEmpty()) {
      return Optional.empty();
    }
    return Optional.of(
        ObjectValue.builder()
            .put("variables", dropped(whole.variables(), context.variables()))
            .put("metadata", dropped(whole.metadata(), context.metadata()))
            .put("history", whole.history().size() - context.history().size())
            .put("failures", failures(seen))
            .build());
  }

  private static ListValue dropped(ObjectValue whole, ObjectValue seen) {
    var dropped = ListValue.builder();
    whole.asMap().keySet().stream()
        .filter(it -> !seen.has(it))
        .limit(KEYS_MAX)
        .forEach(it -> dropped.add(Value.of(it)));
    return dropped.build();
  }

  private static ListValue failures(View seen) {
    var failures = ListValue.builder();
    for (var failure : seen.failures()) {
      failures.add(
          ObjectValue.of("rule", failure.rule())
              .plus("condition", failure.condition())
              .plus("message", failure.message()));
    }
    return failures.build();
  }
}
