package dev.superstep.engine.run;

import dev.superstep.state.value.ListValue;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.state.value.Value;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/// To whom a question is addressed. People are named as their keys or tokens name them, groups of
/// tokens as `group:<name>`, roles as `role:<name>`.
///
/// @param assignee the one who is to answer
/// @param candidates who may answer while there is no assignee; empty: anybody
/// @param excluded who may not answer, whoever else may; besides [#STARTER] and [#ANSWERED]
public record Addressees(
    Optional<String> assignee, List<String> candidates, List<String> excluded) {
  public static final Addressees NONE = new Addressees(Optional.empty(), List.of(), List.of());

  /// Whoever has started the run.
  public static final String STARTER = "starter";

  /// Whoever has answered a question of the run, or of one that belongs to it.
  public static final String ANSWERED = "answered";

  public static final String GROUP = "group:";
  public static final String ROLE = "role:";

  private static final int NAME_CHARS_MAX = 256;

  public Addressees {
    assignee = assignee.map(Addressees::normal);
    candidates = candidates.stream().map(Addressees::normal).toList();
    excluded = excluded.stream().map(Addressees::normal).toList();
  }

  public boolean isNone() {
    return equals(NONE);
  }

  /// Addresses of mail do not tell large letters from small ones.
  public static String normal(String name) {
    return isPerson(name) && name.indexOf('@') > 0 ? name.toLowerCase(Locale.ROOT) : name;
  }

  /// Whether this names a person, not several.
  public static boolean isPerson(String addressee) {
    return !addressee.startsWith(GROUP)
        && !addressee.startsWith(ROLE)
        && !Set.of(STARTER, ANSWERED).contains(addressee);
  }

  /// Why nobody can be called so; empty: somebody can.
  public static Optional<String> refusal(String name) {
    return name.isBlank()
            || name.length() > NAME_CHARS_MAX
            || name.chars().anyMatch(Character::isISOControl)
        ? Optional.of(
            "a name has 1 to %d characters, and none that control".formatted(NAME_CHARS_MAX))
        : Optional.empty();
  }

  /// As it is stored.
  public ObjectValue value() {
    var value = ObjectValue.of("candidates", texts(candidates)).plus("not", texts(excluded));
    return assignee.map(it -> value.plus("assignee", it)).orElse(value);
  }

  /// What [#value] has written.
  public static Addressees of(ObjectValue value) {
    return new Addressees(
        value.findText("assignee"), texts(value, "candidates"), texts(value, "not"));
  }

  private static List<String> texts(ObjectValue value, String key) {
    return ListValue.orEmpty(value.get(key))
        .items(Value.Text.class)
        .map(Value.Text::value)
        .toList();
  }

  private static ListValue texts(List<String> texts) {
    return ListValue.texts(texts.toArray(String[]::new));
  }
}
