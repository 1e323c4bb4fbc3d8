package dev.superstep.expression;

import dev.cel.common.CelAbstractSyntaxTree;
import dev.cel.common.CelMutableAst;
import dev.cel.common.ast.CelConstant;
import dev.cel.common.ast.CelExpr.ExprKind.Kind;
import dev.cel.common.ast.CelMutableExpr;
import dev.cel.common.ast.CelMutableExpr.CelMutableCall;
import dev.cel.common.ast.CelMutableExpr.CelMutableComprehension;
import java.util.ArrayDeque;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;

/// Reads `context.a.b` as one look-up of the path `a.b`, because the longest dotted key wins and a
/// chain of single selections could not know what follows. `has(context.a.b)` and `context.?a.?b`
/// work alike. On its way it notes which nodes compute keys of map literals, and refuses trees that
/// are too deep and message literals.
final class ContextPaths {
  static final String FIND = "@context_find";
  static final String HAS = "@context_has";
  static final String OPTIONAL = "@context_optional";
  private static final String CONTEXT = "context";
  private static final String OPTIONAL_SELECT = "_?._";

  private final int depthMax;
  private final LoopVariables loops = new LoopVariables();
  private final Set<Long> keys = new HashSet<>();
  private long lastId;

  public ContextPaths(int depthMax) {
    this.depthMax = depthMax;
  }

  /// A tree that cannot be accepted. `id` is the offending node.
  public static final class RefusedPath extends RuntimeException {
    private static final long serialVersionUID = 1L;
    public final long id;

    RefusedPath(long id, String message) {
      super(message);
      this.id = id;
    }
  }

  /// @param keys the nodes that compute keys of map literals
  public record Rewritten(CelAbstractSyntaxTree tree, Set<Long> keys) {}

  /// @throws RefusedPath when the tree cannot be accepted
  public Rewritten rewrite(CelAbstractSyntaxTree parsed) {
    var tree = CelMutableAst.fromCelAst(parsed);
    lastId = maxId(tree.expr(), 0);
    visit(tree.expr());
    return new Rewritten(tree.toParsedAst(true), Set.copyOf(keys));
  }

  private long maxId(CelMutableExpr node, int level) {
    if (level > depthMax) {
      throw new RefusedPath(node.id(), "nested too deeply; split it into smaller parts");
    }
    long max = node.id();
    for (var child : Children.of(node)) {
      max = Math.max(max, maxId(child, level + 1));
    }
    return max;
  }

  private void visit(CelMutableExpr node) {
    var path = pathOf(node);
    if (path.isPresent()) {
      replace(node, path.get());
    } else if (node.getKind() == Kind.COMPREHENSION) {
      loops.visit(node.comprehension(), this::visit);
    } else if (node.getKind() == Kind.STRUCT) {
      throw new RefusedPath(node.id(), "message literals are not supported; write {'key': value}");
    } else {
      if (node.getKind() == Kind.MAP) {
        node.map().entries().stream()
            .map(it -> it.key())
            .filter(it -> it.getKind() != Kind.CONSTANT)
            .forEach(it -> keys.add(it.id()));
      }
      Children.of(node).forEach(this::visit);
    }
  }

  /// @param root the identifier `context`
  private record Path(CelMutableExpr root, String dotted, String function) {}

  private Optional<Path> pathOf(CelMutableExpr node) {
    var steps = new ArrayDeque<String>();
    var function = FIND;
    var at = node;
    while (true) {
      if (at.getKind() == Kind.SELECT) {
        function = at.select().testOnly() ? HAS : function;
        steps.push(at.select().field());
        at = at.select().operand();
      } else if (isOptionalSelect(at)) {
        function = OPTIONAL;
        steps.push(at.call().args().get(1).constant().stringValue());
        at = at.call().args().getFirst();
      } else {
        break;
      }
    }
    return !steps.isEmpty() && isContext(at)
        ? Optional.of(new Path(at, String.join(".", steps), function))
        : Optional.empty();
  }

  private static boolean isOptionalSelect(CelMutableExpr node) {
    return node.getKind() == Kind.CALL
        && node.call().function().equals(OPTIONAL_SELECT)
        && node.call().args().get(1).getKind() == Kind.CONSTANT;
  }

  private boolean isContext(CelMutableExpr node) {
    return node.getKind() == Kind.IDENT
        && node.ident().name().equals(CONTEXT)
        && !loops.hide(CONTEXT);
  }

  private void replace(CelMutableExpr node, Path path) {
    var dotted = CelMutableExpr.ofConstant(++lastId, CelConstant.ofValue(path.dotted()));
    node.setCall(CelMutableCall.create(path.function(), path.root(), dotted));
  }

  /// The variables of the loops around the node that is visited, which hide other names.
  private static final class LoopVariables {
    private final ArrayDeque<String> names = new ArrayDeque<>();

    /// Visits the parts of a loop, each with the variables that it can see.
    void visit(CelMutableComprehension loop, Consumer<CelMutableExpr> visitor) {
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

    boolean hide(String name) {
      return names.contains(name);
    }
  }
}
