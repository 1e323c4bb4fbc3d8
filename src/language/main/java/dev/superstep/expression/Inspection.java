package dev.superstep.expression;

import java.util.List;
import java.util.Optional;

/// What an expression says without being run.
///
/// @param mentions the nodes that it names outright
/// @param problems what cannot be right, given the types of its variables
/// @param sends the dispatches that it makes; empty: there may be others, to any node
/// @param given whether all that it gives as a route or as dispatches can be seen
public record Inspection(
    List<Mention> mentions,
    List<TypeProblem> problems,
    Optional<List<Send>> sends,
    GivenVariables given) {
  static final Inspection NONE =
      new Inspection(List.of(), List.of(), Optional.empty(), GivenVariables.UNKNOWN);

  /// Whether the nodes and dispatches that an expression gives are written in it.
  public enum GivenVariables {
    WRITTEN,
    UNKNOWN
  }

  public Inspection {
    mentions = List.copyOf(mentions);
    problems = List.copyOf(problems);
  }

  /// That of a text in which the expression begins at `start`.
  Inspection after(Position start) {
    return new Inspection(
        mentions.stream().map(it -> it.at(start)).toList(),
        problems.stream().map(it -> it.after(start)).toList(),
        sends,
        given);
  }
}
