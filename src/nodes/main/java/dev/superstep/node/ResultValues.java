package dev.superstep.node;

import dev.superstep.definition.form.Durations;
import dev.superstep.engine.run.TaskError;
import dev.superstep.graph.Location;
import dev.superstep.graph.UncheckedValue;
import dev.superstep.graph.Violation;
import dev.superstep.graph.Violations;
import dev.superstep.state.value.ListValue;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.state.value.Value;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/// What readers of node results ask of values.
final class ResultValues {
  /// At most this many violations are listed.
  private static final int SHOWN_MAX = 20;

  private ResultValues() {}

  static UncheckedValue of(Value value, Location at) {
    return new UncheckedValue(value, at, ResultValues::wrongType);
  }

  private static String wrongType(String wanted, Value found) {
    var also = wanted.equals("a list") ? ", also for one item: [x]" : "";
    return "must be %s%s; got %s".formatted(wanted, also, found.typeName());
  }

  static void refuse(Location at, String message) {
    at.error(NodeResults.BAD_RESULT, message);
  }

  static void refuseOthers(UncheckedValue object, Set<String> known) {
    object.refuseOthers(
        known,
        _ -> "unknown key; known are " + known.stream().sorted().collect(Collectors.joining(", ")));
  }

  static Optional<Duration> duration(UncheckedValue value) {
    var text = value.text();
    var duration = text.flatMap(Durations::parse);
    if (text.isPresent() && duration.isEmpty()) {
      refuse(value.at(), "not a duration: write 500ms, 30s, 5m, 1h, 2d or ISO 8601");
    }
    return duration;
  }

  /// The violations as the error of the task; there must be some.
  static TaskError error(Violations violations) {
    var all = violations.errors();
    var first = all.getFirst();
    var where = first.pointer().isEmpty() ? "" : " at " + first.pointer();
    var more = all.size() == 1 ? "" : " (and %d more)".formatted(all.size() - 1);
    var shown = all.stream().limit(SHOWN_MAX).map(ResultValues::describe).toList();
    return TaskError.permanent(
            NodeResults.BAD_RESULT,
            "not a node result%s: %s%s".formatted(where, first.message(), more))
        .with("errors", ListValue.of(shown));
  }

  private static Value describe(Violation violation) {
    return ObjectValue.of("pointer", violation.pointer()).plus("message", violation.message());
  }
}
