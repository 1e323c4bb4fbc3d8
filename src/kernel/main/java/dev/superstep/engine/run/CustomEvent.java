package dev.superstep.engine.run;

import dev.superstep.state.value.ObjectValue;
import dev.superstep.state.value.Value;
import java.util.Optional;
import java.util.regex.Pattern;

/// An event that a node emits: the type `custom`. It is stored with the commit of the superstep of
/// its task; a streaming node can publish it live before.
///
/// @param name what happened, in a word of the graph's author
public record CustomEvent(String name, Value data) {
  public static final String TYPE = "custom";

  /// Events of one task.
  public static final int COUNT_MAX = 100;

  private static final Pattern NAME = Pattern.compile("[A-Za-z][A-Za-z0-9_.-]{0,63}");

  /// Why a name is invalid, if it is.
  public static Optional<String> refusal(String name) {
    return NAME.matcher(name).matches()
        ? Optional.empty()
        : Optional.of("must be a name: " + NAME.pattern());
  }

  /// @param index among the events of the task, from 0: a client that saw it live recognizes the
  ///   stored event by it
  public ObjectValue stored(int index) {
    return ObjectValue.builder().put("data", data).put("index", index).put("name", name).build();
  }

  /// The live form of the event.
  ///
  /// @param attempt of the task: events of a failed one are not stored
  public ObjectValue live(int index, int attempt) {
    return stored(index).plus("attempt", attempt);
  }
}
