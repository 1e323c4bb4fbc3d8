package dev.superstep.expression.function;

import dev.cel.common.ast.CelMutableExpr;
import dev.cel.common.ast.CelMutableExpr.CelMutableComprehension;
import java.util.ArrayDeque;
import java.util.function.Consumer;

/// The variables of the loops around the node that is visited, which hide other names.
public final class LoopVariables {
  private final ArrayDeque<String> names = new ArrayDeque<>();

  /// Visits the parts of a loop, each with the variables that it can see.
  public void visit(CelMutableComprehension loop, Consumer<CelMutableExpr> visitor) {
    visitor.accept(loop.iterRange());
    visitor.accept(loop.accuInit());
    names.push(loop.accuVar());
    visitor.accept(loop.result());
    names.push(loop.iterVar());
    names.push(loop.iterVar2());
    visitor.accept(loop.loopCondition());
    visitor.accept(loop.loopStep());
    names.pop();
    names.pop();
    names.pop();
  }

  public boolean hide(String name) {
    return names.contains(name);
  }
}
