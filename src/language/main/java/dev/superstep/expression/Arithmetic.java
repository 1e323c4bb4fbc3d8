package dev.superstep.expression;

import dev.cel.common.CelFunctionDecl;
import dev.cel.common.CelOverloadDecl;
import dev.cel.common.types.CelType;
import dev.cel.common.types.SimpleType;
import dev.cel.runtime.CelFunctionBinding;
import java.util.ArrayList;
import java.util.List;
import java.util.function.DoubleBinaryOperator;

/// Implements `+ - * /` between int and double, which CEL leaves out: the int becomes a double.
@SuppressWarnings("Immutable") // the operators are stateless lambdas
record Arithmetic(String function, String id, DoubleBinaryOperator operator) {
  private static final List<Arithmetic> ALL =
      List.of(
          new Arithmetic("_+_", "add", Double::sum),
          new Arithmetic("_-_", "subtract", (a, b) -> a - b),
          new Arithmetic("_*_", "multiply", (a, b) -> a * b),
          new Arithmetic("_/_", "divide", (a, b) -> a / b));

  static List<CelFunctionDecl> declarations() {
    var declarations = new ArrayList<CelFunctionDecl>();
    for (var it : ALL) {
      declarations.add(
          CelFunctionDecl.newFunctionDeclaration(
              it.function,
              it.overload("_int64_double", SimpleType.INT, SimpleType.DOUBLE),
              it.overload("_double_int64", SimpleType.DOUBLE, SimpleType.INT)));
    }
    return declarations;
  }

  private CelOverloadDecl overload(String suffix, CelType left, CelType right) {
    return CelOverloadDecl.newGlobalOverload(id + suffix, SimpleType.DOUBLE, left, right);
  }

  static List<CelFunctionBinding> bindings() {
    var bindings = new ArrayList<CelFunctionBinding>();
    for (var it : ALL) {
      bindings.add(
          CelFunctionBinding.from(
              it.id + "_int64_double",
              Long.class,
              Double.class,
              (a, b) -> it.operator.applyAsDouble(a.doubleValue(), b)));
      bindings.add(
          CelFunctionBinding.from(
              it.id + "_double_int64",
              Double.class,
              Long.class,
              (a, b) -> it.operator.applyAsDouble(a, b.doubleValue())));
    }
    return bindings;
  }
}
