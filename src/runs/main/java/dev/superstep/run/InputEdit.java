package dev.superstep.run;

import dev.superstep.state.Change;
import dev.superstep.state.value.ListValue;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.state.value.Value;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/// What an input does besides adding to its thread's state: applied to whatever the state is when
/// the run begins.
///
/// @param replaces channels of the input that are replaced, past their reducers
/// @param removed ids of messages that are taken out first
public record InputEdit(Set<String> replaces, List<String> removed) {
  public static final InputEdit NONE = new InputEdit(Set.of(), List.of());

  public InputEdit {
    replaces = Set.copyOf(replaces);
    removed = List.copyOf(removed);
  }

  /// The part of a change that its values do not show.
  public static InputEdit of(Change change) {
    return new InputEdit(change.overwrite().asMap().keySet(), change.removeMessages());
  }

  public boolean isEmpty() {
    return replaces.isEmpty() && removed.isEmpty();
  }

  public ObjectValue value() {
    return ObjectValue.of("replaces", texts(new TreeSet<>(replaces)))
        .plus("removed", texts(removed));
  }

  private static ListValue texts(Collection<String> texts) {
    return ListValue.texts(texts.toArray(String[]::new));
  }

  /// @param written by [#value]
  public static InputEdit read(ObjectValue written) {
    return new InputEdit(Set.copyOf(texts(written, "replaces")), texts(written, "removed"));
  }

  private static List<String> texts(ObjectValue written, String member) {
    return written.getOr(member, ListValue.empty()) instanceof ListValue list
        ? list.stream().map(it -> ((Value.Text) it).value()).toList()
        : List.of();
  }

  public Change change(ObjectValue input) {
    if (isEmpty()) {
      return Change.update(input);
    }
    var overwrite = ObjectValue.builder();
    var update = ObjectValue.builder();
    input.forEach(
        (channel, value) -> (replaces.contains(channel) ? overwrite : update).put(channel, value));
    return new Change(List.of(), removed, overwrite.build(), update.build());
  }
}
