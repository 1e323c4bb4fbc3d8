package dev.superstep.run.web;

import com.fasterxml.jackson.annotation.JsonProperty;
import dev.superstep.state.Change;
import dev.superstep.state.value.ObjectValue;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// A change of state, in requests that fork or resume and in answers.
record ChangeBody(
    @Nullable List<String> remove,
    @JsonProperty("remove_messages") @Nullable List<String> removeMessages,
    @Nullable ObjectValue overwrite,
    @Nullable ObjectValue update) {

  public static ChangeBody of(Change change) {
    return new ChangeBody(
        list(change.remove()),
        list(change.removeMessages()),
        object(change.overwrite()),
        object(change.update()));
  }

  static Optional<Change> read(@Nullable ChangeBody body) {
    return Optional.ofNullable(body)
        .map(it ->
            new Change(
                Objects.requireNonNullElse(it.remove, List.of()),
                Objects.requireNonNullElse(it.removeMessages, List.of()),
                Objects.requireNonNullElse(it.overwrite, ObjectValue.empty()),
                Objects.requireNonNullElse(it.update, ObjectValue.empty())));
  }

  private static @Nullable List<String> list(List<String> items) {
    return items.isEmpty() ? null : items;
  }

  private static @Nullable ObjectValue object(ObjectValue members) {
    return members.isEmpty() ? null : members;
  }
}
