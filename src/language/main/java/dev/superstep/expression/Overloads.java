package dev.superstep.expression;

import com.google.common.collect.Iterables;
import dev.cel.checker.CelStandardDeclarations.StandardFunction;
import dev.cel.common.CelFunctionDecl;
import dev.cel.common.CelOverloadDecl;
import dev.cel.common.types.CelKind;
import dev.cel.common.types.CelType;
import dev.cel.common.types.SimpleType;
import dev.superstep.expression.ValueType.ListOf;
import dev.superstep.expression.ValueType.Maybe;
import dev.superstep.expression.ValueType.ObjectOf;
import dev.superstep.expression.ValueType.Simple;
import dev.superstep.expression.ValueType.Text;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// What CEL's functions take and give, by the declarations that compile the programs. More lenient
/// than CEL's own check: lists may mix what they hold, and a number is a number.
final class Overloads {
  private static final int SHOWN_MAX = 4;
  private final Map<String, List<CelOverloadDecl>> byFunction = new HashMap<>();

  /// @param added to CEL's standard functions
  public Overloads(Iterable<CelFunctionDecl> added) {
    for (var it : StandardFunction.values()) {
      add(it.functionDecl());
    }
    added.forEach(this::add);
  }

  private void add(CelFunctionDecl function) {
    byFunction
        .computeIfAbsent(function.name(), _ -> new ArrayList<>())
        .addAll(function.overloads());
  }

  /// How a function is called: on its first argument, or with all of them.
  enum CallStyle {
    MEMBER,
    GLOBAL
  }

  boolean knows(String function) {
    return byFunction.containsKey(function);
  }

  /// What the function gives; empty: it does not take these.
  Optional<ValueType> result(String function, CallStyle style, List<ValueType> args) {
    return candidates(function, style)
        .filter(it -> it.parameterTypes().size() == args.size())
        .flatMap(it -> result(it, args).stream())
        .reduce(ValueTypes::join);
  }

  /// What the function takes, for people.
  String taken(String function, CallStyle style) {
    return candidates(function, style)
        .map(it ->
            it.parameterTypes().stream()
                .map(Overloads::name)
                .collect(Collectors.joining(", ", "(", ")")))
        .distinct()
        .limit(SHOWN_MAX)
        .collect(Collectors.joining(" or "));
  }

  private Stream<CelOverloadDecl> candidates(String function, CallStyle style) {
    return byFunction.getOrDefault(function, List.of()).stream()
        .filter(it -> it.isInstanceFunction() == (style == CallStyle.MEMBER));
  }

  private static Optional<ValueType> result(CelOverloadDecl overload, List<ValueType> args) {
    var bound = new HashMap<String, ValueType>();
    for (int i = 0; i < args.size(); i++) {
      if (!takes(overload.parameterTypes().get(i), args.get(i), bound)) {
        return Optional.empty();
      }
    }
    return Optional.of(given(overload.resultType(), bound));
  }

  private static boolean takes(CelType wanted, ValueType type, Map<String, ValueType> bound) {
    if (wanted.kind().isTypeParam()) {
      bound.merge(wanted.name(), type, ValueTypes::join);
      return true;
    }
    if (wanted.kind().isDyn() || type == Simple.ANY || type == Simple.NEVER) {
      return true;
    }
    return switch (wanted.kind()) {
      case BOOL -> type == Simple.BOOL;
      case INT, UINT, DOUBLE -> type == Simple.NUMBER;
      case STRING -> type instanceof Text;
      case NULL_TYPE -> type == Simple.NULL;
      case LIST -> type instanceof ListOf(var item) && takes(parameter(wanted), item, bound);
      case MAP -> type instanceof ObjectOf;
      case OPAQUE -> type instanceof Maybe(var value) && takes(parameter(wanted), value, bound);
      default -> false;
    };
  }

  private static CelType parameter(CelType type) {
    return Iterables.getFirst(type.parameters(), SimpleType.DYN);
  }

  private static ValueType given(CelType type, Map<String, ValueType> bound) {
    return switch (type.kind()) {
      case TYPE_PARAM -> bound.getOrDefault(type.name(), Simple.ANY);
      case BOOL -> Simple.BOOL;
      case INT, UINT, DOUBLE -> Simple.NUMBER;
      case STRING -> ValueTypes.STRING;
      case NULL_TYPE -> Simple.NULL;
      case LIST -> new ListOf(given(parameter(type), bound));
      case MAP -> ValueTypes.OBJECT;
      case OPAQUE -> new Maybe(given(parameter(type), bound));
      default -> Simple.ANY;
    };
  }

  private static String name(CelType type) {
    return switch (type.kind()) {
      case TYPE_PARAM, DYN, ANY -> "any";
      case LIST -> parameter(type).kind() == CelKind.STRING ? "list of strings" : "list";
      case MAP -> "object";
      case OPAQUE -> "optional";
      case BOOL -> "true or false";
      case INT, UINT, DOUBLE -> "number";
      case TIMESTAMP -> "timestamp";
      case DURATION -> "duration";
      default -> type.name();
    };
  }
}
