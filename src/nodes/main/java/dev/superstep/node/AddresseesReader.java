package dev.superstep.node;

import dev.superstep.engine.run.Addressees;
import dev.superstep.graph.Location;
import dev.superstep.graph.UncheckedValue;
import dev.superstep.state.value.ListValue;
import dev.superstep.state.value.Value;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/// Reads whom a question is for: members of an `interrupt` and of a `config`.
final class AddresseesReader {
  static final String ASSIGNEE = "assignee";
  static final String CANDIDATES = "candidates";
  static final String NOT = "not";

  /// The members.
  static final Set<String> KEYS = Set.of(ASSIGNEE, CANDIDATES, NOT);

  /// As tokens and keys have them.
  static final Set<String> ROLES =
      Set.of("viewer", "runner", "answerer", "author", "worker", "operator", "admin");

  private static final int NAMES_MAX = 50;

  private AddresseesReader() {}

  /// @param question has the members
  static Addressees read(UncheckedValue question) {
    var assignee = question.key(ASSIGNEE);
    var addressees =
        new Addressees(
            person(assignee),
            names(question.key(CANDIDATES), it -> !isWord(it), "name people, group:… or role:…"),
            names(
                question.key(NOT), _ -> true, "name people, group:…, role:…, starter or answered"));
    if (assignee.value() != null
        && addressees.assignee().isEmpty()
        && addressees.candidates().isEmpty()) {
      ResultValues.refuse(assignee.at(), "is nobody, and there are no candidates");
    }
    return addressees;
  }

  private static boolean isWord(String name) {
    return Set.of(Addressees.STARTER, Addressees.ANSWERED).contains(name);
  }

  /// An empty text is nobody: a template may find none, and have candidates instead.
  private static Optional<String> person(UncheckedValue given) {
    var name = given.text().filter(it -> !it.isEmpty());
    name.ifPresent(it -> {
      if (!Addressees.isPerson(it)) {
        ResultValues.refuse(given.at(), "must name one person; groups and roles are candidates");
      } else {
        check(it, given.at());
      }
    });
    return name;
  }

  private static List<String> names(
      UncheckedValue given, Predicate<String> allowed, String wanted) {
    var names = given.value() instanceof Value.Text(var one) ? List.of(one) : given.texts();
    if (given.value() instanceof Value.Null || ListValue.empty().equals(given.value())) {
      ResultValues.refuse(given.at(), "must name somebody");
    }
    if (names.size() > NAMES_MAX) {
      ResultValues.refuse(
          given.at(), "has %d names; %d are the most".formatted(names.size(), NAMES_MAX));
    }
    for (var name : names) {
      if (!allowed.test(name)) {
        ResultValues.refuse(given.at(), "has '%s': %s".formatted(name, wanted));
      }
      check(name, given.at());
    }
    return names;
  }

  private static void check(String name, Location at) {
    Addressees.refusal(name).ifPresent(it -> ResultValues.refuse(at, it));
    if (name.startsWith(Addressees.ROLE)
        && !ROLES.contains(name.substring(Addressees.ROLE.length()))) {
      ResultValues.refuse(
          at,
          "has '%s', which is no role; roles are %s"
              .formatted(name, ROLES.stream().sorted().collect(Collectors.joining(", "))));
    }
    if (name.equals(Addressees.GROUP)) {
      ResultValues.refuse(at, "has a group without a name");
    }
  }
}
