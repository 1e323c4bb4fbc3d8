package dev.superstep.expression.compile;

import dev.superstep.expression.Mention;
import dev.superstep.expression.Position;
import dev.superstep.expression.type.TypeProblem;
import java.util.List;

/// What an expression says without being run.
///
/// @param mentions the nodes that it names outright
/// @param problems what cannot be right, given the types of its variables
public record Inspection(List<Mention> mentions, List<TypeProblem> problems) {
  static final Inspection NONE = new Inspection(List.of(), List.of());

  public Inspection {
    mentions = List.copyOf(mentions);
    problems = List.copyOf(problems);
  }

  /// That of a text in which the expression begins at `start`.
  Inspection after(Position start) {
    return new Inspection(
        mentions.stream().map(it -> it.at(start)).toList(),
        problems.stream().map(it -> it.after(start)).toList());
  }
}
