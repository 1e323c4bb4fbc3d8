package dev.superstep.expression;

import dev.cel.common.CelFunctionDecl;
import dev.cel.common.CelOverloadDecl;
import dev.cel.common.types.CelType;
import dev.cel.common.types.SimpleType;
import dev.cel.runtime.CelFunctionBinding;
import java.util.ArrayList;
import java.util.List;
import java.util.function.DoubleBinaryOperator;

/// `+ - * /` between int and double, which CEL leaves out: the int becomes a double.
enum Arithmetic {
  ADD("_+_", "add", Double::sum),
  SUBTRACT("_-_", "subtract", (a, b) -> a - b),
  MULTIPLY("_*_", "multiply", (a, b) -> a * b),
  DIVIDE("_/_", "divide", (a, b) -> a / b);

  private final String function;
  private final String id;
  private final DoubleBinaryOperator operator;

  Arithmetic(String function, String id, DoubleBinaryOperator operator) {
    this.function = function;
    this.id = id;
    this.operator = operator;
  }

  static List<CelFunctionDecl> declarations() {
    var declarations = new ArrayList<CelFunctionDecl>();
    for (var it : values()) {
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
    for (var it : values()) {
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
