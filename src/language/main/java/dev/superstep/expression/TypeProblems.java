package dev.superstep.expression;

import dev.cel.common.ast.CelMutableExpr;
import dev.superstep.expression.TypeProblem.UnknownField;
import dev.superstep.expression.TypeProblem.WrongType;
import dev.superstep.expression.ValueType.ListOf;
import dev.superstep.expression.ValueType.Text;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;

/// Collects what is wrong with one expression, each once: macros repeat parts of the tree.
final class TypeProblems {
  /// Positions are looked for in the whole text, so that each costs its length.
  private static final int FOUND_MAX = 100;

  private final Map<Long, Integer> offsets;
  private final String source;
  private final Set<TypeProblem> found = new LinkedHashSet<>();

  /// @param offsets of the tree's nodes, in code points
  public TypeProblems(Map<Long, Integer> offsets, String source) {
    this.offsets = Map.copyOf(offsets);
    this.source = source;
  }

  public List<TypeProblem> found() {
    return List.copyOf(found);
  }

  /// @param problem looked for only while there is room
  private void add(Supplier<TypeProblem> problem) {
    if (found.size() < FOUND_MAX) {
      found.add(problem.get());
    }
  }

  void wrong(CelMutableExpr node, String message) {
    add(() -> new WrongType(message, start(node)));
  }

  /// @param function where its name stands, or else its operator
  void wrongAt(CelMutableExpr node, String function, String message) {
    add(() -> new WrongType(message, position(node, function)));
  }

  void unknown(CelMutableExpr node, UnknownField problem) {
    add(() -> problem.at(name(node, problem.field())));
  }

  void noFields(CelMutableExpr node, String owner, String field, ValueType type) {
    var instead =
        type instanceof ListOf
            ? "; take one item, as in %s[0], or go through all, as in %s.map(x, …)"
                .formatted(owner, owner)
            : "";
    add(() ->
        new WrongType(
            "%s is %s and has no field '%s'%s".formatted(owner, type.said(), field, instead),
            name(node, field)));
  }

  void unequal(CelMutableExpr node, ValueType left, ValueType right) {
    if (left instanceof Text(var some) && right instanceof Text(var others)) {
      boolean single = others.size() == 1;
      add(() ->
          new TypeProblem.UnknownText(
              single ? others.getFirst() : some.getFirst(),
              Set.copyOf(single ? some : others),
              position(node, "")));
      return;
    }
    wrongAt(node, "", CallMessages.unequal(left, right));
  }

  /// Where a function is named, or an operator stands.
  private Position position(CelMutableExpr node, String function) {
    var offset = offsets.getOrDefault(node.id(), 0);
    int unit = unit(offset);
    int name = function.isEmpty() ? -1 : source.lastIndexOf(function, unit);
    return Position.of(source, name < 0 ? unit : name);
  }

  /// Where a field is named.
  private Position name(CelMutableExpr node, String field) {
    int unit = unit(offsets.getOrDefault(node.id(), 0));
    int name = source.indexOf(field, unit);
    return Position.of(source, name < 0 ? unit : name);
  }

  /// Where the leftmost part of a node begins.
  private Position start(CelMutableExpr node) {
    return Position.of(source, unit(first(node)));
  }

  private int first(CelMutableExpr node) {
    int first = offsets.getOrDefault(node.id(), Integer.MAX_VALUE);
    for (var child : Children.of(node)) {
      first = Math.min(first, first(child));
    }
    return first;
  }

  private int unit(int codePoints) {
    int max = source.codePointCount(0, source.length());
    return source.offsetByCodePoints(0, Math.clamp(codePoints, 0, max));
  }
}
