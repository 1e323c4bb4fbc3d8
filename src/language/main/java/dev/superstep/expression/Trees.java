package dev.superstep.expression;

import dev.cel.common.ast.CelConstant;
import dev.cel.common.ast.CelExpr.ExprKind.Kind;
import dev.cel.common.ast.CelMutableExpr;
import java.util.Optional;

/// Reads nodes of syntax trees.
final class Trees {
  private static final int WRITTEN_MAX = 80;

  private Trees() {}

  static Optional<String> text(CelMutableExpr node) {
    return node.getKind() == Kind.CONSTANT
            && node.constant().getKind() == CelConstant.Kind.STRING_VALUE
        ? Optional.of(node.constant().stringValue())
        : Optional.empty();
  }

  /// The path as its author wrote it, if it is one.
  static String written(CelMutableExpr node) {
    var path = path(node);
    return path.isEmpty() || path.length() > WRITTEN_MAX ? "this value" : path;
  }

  private static String path(CelMutableExpr node) {
    return switch (node.getKind()) {
      case IDENT -> node.ident().name().contains("@") ? "" : node.ident().name();
      case SELECT -> selected(path(node.select().operand()), node.select().field());
      case CALL -> {
        var args = node.call().args();
        yield node.call().function().equals("_?._")
            ? selected(path(args.getFirst()), text(args.getLast()).orElse(""))
            : node.call().function().equals("_[_]") ? item(args.getFirst(), args.getLast()) : "";
      }
      case NOT_SET, CONSTANT, LIST, MAP, STRUCT, COMPREHENSION -> "";
    };
  }

  private static String item(CelMutableExpr owner, CelMutableExpr key) {
    var path = path(owner);
    var name = text(key);
    if (path.isEmpty()) {
      return "";
    }
    if (name.isPresent()) {
      return "%s['%s']".formatted(path, name.get());
    }
    return key.getKind() == Kind.CONSTANT
            && key.constant().getKind() == CelConstant.Kind.INT64_VALUE
        ? "%s[%d]".formatted(path, key.constant().int64Value())
        : "";
  }

  private static String selected(String path, String field) {
    return path.isEmpty() || field.isEmpty() ? "" : path + "." + field;
  }
}
