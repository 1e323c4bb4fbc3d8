package dev.superstep.expression;

import dev.superstep.expression.Overloads.CallStyle;
import dev.superstep.expression.ValueType.ListOf;
import dev.superstep.expression.ValueType.ObjectOf;
import dev.superstep.expression.ValueType.Simple;
import dev.superstep.expression.ValueType.Text;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/// Says why a call cannot be right.
final class CallMessages {
  private static final Pattern OPERATOR = Pattern.compile("_?([!=<>+*/%&|?:-]+)_?.*");
  private static final Set<String> COMPARING = Set.of("<", "<=", ">", ">=");
  private static final Set<String> LOGIC = Set.of("&&", "||", "!");

  private CallMessages() {}

  /// @param types of the target, if it has one, and of the arguments
  static String sentence(String function, List<ValueType> types, String taken, CallStyle style) {
    if (function.equals("_?_:_")) {
      return "what stands before '?' must be true or false, this is " + types.getFirst().said();
    }
    var operator = OPERATOR.matcher(function);
    if (operator.matches()) {
      return operator(operator.group(1), types);
    }
    var instead = instead(function, types.getFirst());
    if (style == CallStyle.GLOBAL) {
      return "'%s' cannot be called with %s; it takes %s%s"
          .formatted(function, said(types), taken, instead);
    }
    var args = types.subList(1, types.size());
    return "'%s' cannot be called on %s%s; it takes %s%s"
        .formatted(
            function,
            types.getFirst().said(),
            args.isEmpty() ? "" : " with " + said(args),
            taken,
            instead);
  }

  private static String instead(String function, ValueType first) {
    boolean many = first instanceof ListOf || first instanceof ObjectOf;
    return switch (function) {
      case "string" -> many ? "; write to_json(x) for a list or an object" : "";
      case "contains" -> many ? "; look into a list with 'x in list'" : "";
      case "join" -> first instanceof ListOf ? "; convert its items with map(x, string(x))" : "";
      default -> "";
    };
  }

  private static String operator(String operator, List<ValueType> types) {
    return "'%s' cannot be applied to %s; %s"
        .formatted(operator, said(types), hint(operator, types));
  }

  private static String hint(String operator, List<ValueType> types) {
    if (LOGIC.contains(operator)) {
      return "it takes true or false";
    }
    if (types.contains(Simple.NULL)) {
      return "nothing can be done with null";
    }
    boolean compares = COMPARING.contains(operator);
    boolean list = types.stream().anyMatch(ListOf.class::isInstance);
    boolean object = types.stream().anyMatch(ObjectOf.class::isInstance);
    if (compares && (list || object)) {
      return "compare its size, as in size(x)";
    }
    return operator.equals("+") && (list || object)
        ? joined(list, types)
        : "convert one of them, as in string(x) or int(x)";
  }

  private static String joined(boolean list, List<ValueType> types) {
    if (types.stream().anyMatch(Text.class::isInstance)) {
      return "write it out, as in to_json(x)";
    }
    return list ? "write [x] to add one item" : "write merge(x, y) to join objects";
  }

  static String unequal(ValueType left, ValueType right) {
    var types = List.of(left, right);
    var hint =
        types.stream().noneMatch(Text.class::isInstance)
            ? "compare values of one type"
            : types.contains(Simple.BOOL)
                ? "write true or false without quotes"
                : types.contains(Simple.NUMBER)
                    ? "write the number without quotes, or convert it with string(x)"
                    : "ask for an empty one with size(x) == 0";
    return "%s and %s are never equal; %s".formatted(left.said(), right.said(), hint);
  }

  private static String said(List<ValueType> types) {
    return types.isEmpty()
        ? "nothing"
        : types.stream().map(ValueType::said).collect(Collectors.joining(" and "));
  }
}
