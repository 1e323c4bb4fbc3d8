package dev.superstep.node;

import dev.superstep.definition.form.Durations;
import dev.superstep.engine.task.TaskError;
import dev.superstep.json.Pointer;
import dev.superstep.state.value.ListValue;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.state.value.Value;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// Reads members of a node result strictly and keeps every problem, so that an author sees all of
/// them at once. A member that is null counts as absent.
final class ResultReader {
  private static final int PROBLEMS_MAX = 20;
  private final List<Problem> problems = new ArrayList<>();

  /// @param pointer JSON pointer into the node result
  record Problem(String pointer, String message) {}

  List<Problem> problems() {
    return List.copyOf(problems);
  }

  void refuse(String pointer, String message) {
    problems.add(new Problem(pointer, message));
  }

  void refuseOthers(String pointer, ObjectValue object, Set<String> known) {
    object.forEach((key, _) -> {
      if (!known.contains(key)) {
        var names = known.stream().sorted().collect(Collectors.joining(", "));
        refuse(Pointer.child(pointer, key), "unknown key; known are " + names);
      }
    });
  }

  Optional<Value> find(ObjectValue object, String key) {
    return Optional.ofNullable(object.get(key)).filter(it -> !(it instanceof Value.Null));
  }

  ObjectValue object(String pointer, ObjectValue from, String key) {
    var found = find(from, key);
    if (found.isEmpty()) {
      return ObjectValue.empty();
    }
    if (found.get() instanceof ObjectValue object) {
      return object;
    }
    refuse(Pointer.child(pointer, key), "must be an object; got " + found.get().typeName());
    return ObjectValue.empty();
  }

  ListValue list(String pointer, ObjectValue from, String key) {
    var found = find(from, key);
    if (found.isEmpty()) {
      return ListValue.empty();
    }
    if (found.get() instanceof ListValue list) {
      return list;
    }
    refuse(
        Pointer.child(pointer, key),
        "must be a list, also for one item: [x]; got " + found.get().typeName());
    return ListValue.empty();
  }

  List<String> texts(String pointer, ObjectValue from, String key) {
    var texts = new ArrayList<String>();
    var list = list(pointer, from, key);
    for (int i = 0; i < list.size(); i++) {
      if (list.get(i) instanceof Value.Text(var text)) {
        texts.add(text);
      } else {
        refuse(
            Pointer.child(Pointer.child(pointer, key), i),
            "must be a string; got " + list.get(i).typeName());
      }
    }
    return texts;
  }

  @Nullable String text(String pointer, ObjectValue from, String key) {
    var found = find(from, key);
    if (found.isEmpty()) {
      return null;
    }
    if (found.get() instanceof Value.Text(var text)) {
      return text;
    }
    refuse(Pointer.child(pointer, key), "must be a string; got " + found.get().typeName());
    return null;
  }

  Optional<Duration> duration(String pointer, ObjectValue from, String key) {
    var text = text(pointer, from, key);
    if (text == null) {
      return Optional.empty();
    }
    var duration = Durations.parse(text);
    if (duration.isEmpty()) {
      refuse(
          Pointer.child(pointer, key), "not a duration: write 500ms, 30s, 5m, 1h, 2d or ISO 8601");
    }
    return duration;
  }

  boolean isClean() {
    return problems.isEmpty();
  }

  /// The problems as the error of the task; there must be some.
  TaskError error() {
    var shown = problems.subList(0, Math.min(problems.size(), PROBLEMS_MAX));
    var first = shown.getFirst();
    var where = first.pointer().isEmpty() ? "" : " at " + first.pointer();
    var more = problems.size() == 1 ? "" : " (and %d more)".formatted(problems.size() - 1);
    return TaskError.permanent(
            NodeResults.BAD_RESULT,
            "not a node result%s: %s%s".formatted(where, first.message(), more))
        .with("errors", ListValue.of(shown.stream().map(ResultReader::describe).toList()));
  }

  private static Value describe(Problem problem) {
    return ObjectValue.of("pointer", Value.of(problem.pointer()))
        .plus("message", Value.of(problem.message()));
  }
}
