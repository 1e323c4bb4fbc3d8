package dev.superstep.expression;

import dev.cel.common.ast.CelMutableExpr;
import java.util.ArrayList;
import java.util.List;

/// The direct parts of a syntax tree's node.
final class Children {
  private Children() {}

  public static List<CelMutableExpr> of(CelMutableExpr node) {
    return switch (node.getKind()) {
      case SELECT -> List.of(node.select().operand());
      case CALL -> call(node.call());
      case LIST -> node.list().elements();
      case MAP -> map(node.map());
      case STRUCT -> node.struct().entries().stream().map(it -> it.value()).toList();
      case COMPREHENSION -> comprehension(node.comprehension());
      case NOT_SET, CONSTANT, IDENT -> List.of();
    };
  }

  private static List<CelMutableExpr> call(CelMutableExpr.CelMutableCall call) {
    var parts = new ArrayList<CelMutableExpr>();
    call.target().ifPresent(parts::add);
    parts.addAll(call.args());
    return parts;
  }

  private static List<CelMutableExpr> map(CelMutableExpr.CelMutableMap map) {
    var parts = new ArrayList<CelMutableExpr>();
    for (var entry : map.entries()) {
      parts.add(entry.key());
      parts.add(entry.value());
    }
    return parts;
  }

  private static List<CelMutableExpr> comprehension(CelMutableExpr.CelMutableComprehension loop) {
    return List.of(
        loop.iterRange(), loop.accuInit(), loop.loopCondition(), loop.loopStep(), loop.result());
  }
}
