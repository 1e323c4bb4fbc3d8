package dev.superstep.definition.check;

import dev.superstep.definition.Codes;
import dev.superstep.definition.Suggestion;
import dev.superstep.expression.Position;
import dev.superstep.expression.TypeProblem;
import dev.superstep.expression.TypeProblem.Access;
import dev.superstep.expression.TypeProblem.UnknownField;
import dev.superstep.expression.TypeProblem.UnknownText;
import dev.superstep.expression.TypeProblem.WrongType;
import dev.superstep.graph.Location;
import dev.superstep.graph.Violation;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/// Reports what cannot be right in expressions, given what is known before a run: an error under
/// `strict_channels`, where nothing undeclared exists, else a warning.
final class StaticCheck {
  /// Beyond this many nothing more is reported: each looks for a similar name.
  private static final int PROBLEMS_MAX = 100;

  private static final int SHOWN_MAX = 10;
  private static final String STATE = "state";

  private final boolean strict;
  private final Set<Violation> reported = new HashSet<>();

  StaticCheck(boolean strict) {
    this.strict = strict;
  }

  void check(List<ExpressionTexts.Inspected> texts) {
    texts.forEach(it -> check(it.inspection().problems(), it.location()));
  }

  private void check(List<TypeProblem> problems, Location location) {
    var tested = tested(problems);
    var said = new HashSet<String>();
    for (var problem : problems) {
      if (reported.size() >= PROBLEMS_MAX) {
        return;
      }
      if (isWorthSaying(problem, tested) && said.add(subject(problem))) {
        report(violation(problem), location);
      }
    }
  }

  /// Once for what an author wrote once, though several nodes have it.
  private void report(Violation violation, Location location) {
    if (!reported.add(violation.under(location.pointer()))) {
      return;
    }
    if (strict) {
      location.error(violation);
    } else {
      location.warn(violation);
    }
  }

  /// The fields that an expression asks for before it reads them.
  private static Set<String> tested(List<TypeProblem> problems) {
    return problems.stream()
        .filter(it -> it instanceof UnknownField field && field.access() == Access.ASKED)
        .map(StaticCheck::subject)
        .collect(Collectors.toSet());
  }

  /// An author who asks knows that a field may be absent: only a similar name makes a mistake
  /// likely. Of channels not even that, unless the graph is strict and they cannot exist.
  private boolean isWorthSaying(TypeProblem problem, Set<String> tested) {
    if (!(problem instanceof UnknownField field) || !tested.contains(subject(field))) {
      return true;
    }
    return field.owner().equals(STATE)
        ? strict
        : !Suggestion.among(field.known(), field.field()).isEmpty();
  }

  /// Names are said once for each text, other problems wherever they are.
  private static String subject(TypeProblem problem) {
    return switch (problem) {
      case UnknownField field -> field.owner() + " " + field.field();
      case UnknownText _, WrongType _ ->
          "%d:%d".formatted(problem.at().line(), problem.at().column());
    };
  }

  private Violation violation(TypeProblem problem) {
    return switch (problem) {
      case UnknownField field when field.owner().equals(STATE) ->
          violation(Codes.UNKNOWN_CHANNEL, channel(field), field.at());
      case UnknownField(var owner, var name, var known, _, var at) ->
          violation(
              Codes.UNKNOWN_FIELD,
              "%s has no field '%s'%s; %s"
                  .formatted(
                      owner,
                      name,
                      Suggestion.among(known, name),
                      known.isEmpty() ? "it has none" : "it has " + listed(known)),
              at);
      case UnknownText(var text, var allowed, var at) ->
          violation(
              Codes.WRONG_TYPE,
              "this is never '%s'%s; it can be %s"
                  .formatted(text, Suggestion.among(allowed, text), listed(allowed)),
              at);
      case WrongType(var message, var at) -> violation(Codes.WRONG_TYPE, message, at);
    };
  }

  private String channel(UnknownField field) {
    var name = field.field();
    var hint = Suggestion.among(field.known(), name);
    return strict
        ? "there is no channel '%s'%s, and strict_channels allows only declared ones"
            .formatted(name, hint)
        : "nothing declares or writes channel '%s'%s; if runs bring it with their input, declare it in input.schema or channels"
            .formatted(name, hint);
  }

  private static String listed(Collection<String> names) {
    var shown = names.stream().sorted().limit(SHOWN_MAX).collect(Collectors.joining(", "));
    return names.size() > SHOWN_MAX ? shown + ", …" : shown;
  }

  private static Violation violation(String code, String message, Position at) {
    return new Violation("", code, message, at.line(), at.column());
  }
}
