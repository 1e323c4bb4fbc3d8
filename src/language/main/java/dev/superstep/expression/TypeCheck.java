package dev.superstep.expression;

import dev.cel.common.ast.CelConstant;
import dev.cel.common.ast.CelExpr.ExprKind.Kind;
import dev.cel.common.ast.CelMutableExpr;
import dev.cel.common.ast.CelMutableExpr.CelMutableCall;
import dev.cel.common.ast.CelMutableExpr.CelMutableComprehension;
import dev.cel.common.ast.CelMutableExpr.CelMutableMap;
import dev.superstep.expression.Overloads.CallStyle;
import dev.superstep.expression.TypeProblem.Access;
import dev.superstep.expression.ValueType.KnownMembers;
import dev.superstep.expression.ValueType.ListOf;
import dev.superstep.expression.ValueType.Maybe;
import dev.superstep.expression.ValueType.ObjectOf;
import dev.superstep.expression.ValueType.Simple;
import dev.superstep.expression.ValueType.Text;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Infers what is known of an expression's value from what is known of its variables, and finds
/// what cannot be right. Our own inference rather than CEL's checker with declared messages: that
/// one refuses what is common and sound here, such as `x == null`, `cond ? x : null`, `x['key']`,
/// lists of mixed values. What is not known is never wrong.
public final class TypeCheck {
  /// Larger trees are checked as far as this.
  private static final int NODES_MAX = 20_000;

  private final Overloads overloads;
  private final Map<String, ValueType> variables;
  private final TypeProblems problems;
  private final Sends sends = new Sends();
  private final Map<String, ValueType> loops = new HashMap<>();
  private int nodes;

  /// @param problems takes what is found
  public TypeCheck(Overloads overloads, Map<String, ValueType> variables, TypeProblems problems) {
    this.overloads = overloads;
    this.variables = variables;
    this.problems = problems;
  }

  /// The dispatches that were seen.
  public Sends sends() {
    return sends;
  }

  /// What an expression is for.
  public enum Expected {
    VALUE,
    CONDITION,
    ROUTE
  }

  /// @param root of a parsed tree, its macros expanded
  public void check(CelMutableExpr root, Expected expected) {
    var type = typeOf(root);
    switch (expected) {
      case VALUE -> {}
      case CONDITION -> {
        if (!isOneOf(type, Simple.BOOL)) {
          problems.wrong(root, "a condition must be true or false, this is " + type.said());
        }
      }
      case ROUTE -> {
        if (type == Simple.BOOL || type == Simple.NUMBER) {
          problems.wrong(
              root,
              "a route must give a node id, a dispatch or a list of these, this is " + type.said());
        }
      }
    }
  }

  private static boolean isOneOf(ValueType type, Simple... wanted) {
    return type == Simple.ANY || type == Simple.NEVER || List.<ValueType>of(wanted).contains(type);
  }

  private ValueType typeOf(CelMutableExpr node) {
    if (++nodes > NODES_MAX) {
      sends.others();
      return Simple.ANY;
    }
    return switch (node.getKind()) {
      case CONSTANT -> constant(node.constant());
      case IDENT -> variable(node.ident().name());
      case SELECT -> select(node);
      case CALL -> call(node);
      case LIST ->
          node.list().elements().stream()
              .map(this::typeOf)
              .reduce(ValueTypes::join)
              .<ValueType>map(ListOf::new)
              .orElse(new ListOf(Simple.NEVER));
      case MAP -> map(node.map());
      case COMPREHENSION -> loop(node.comprehension());
      case NOT_SET, STRUCT -> Simple.ANY;
    };
  }

  private static ValueType constant(CelConstant constant) {
    return switch (constant.getKind()) {
      case NULL_VALUE -> Simple.NULL;
      case BOOLEAN_VALUE -> Simple.BOOL;
      case INT64_VALUE, UINT64_VALUE, DOUBLE_VALUE -> Simple.NUMBER;
      case STRING_VALUE -> new Text(List.of(constant.stringValue()));
      default -> Simple.ANY;
    };
  }

  private ValueType variable(String name) {
    var loop = loops.get(name);
    return loop == null ? variables.getOrDefault(name, Simple.ANY) : loop;
  }

  private ValueType map(CelMutableMap map) {
    var fields = new LinkedHashMap<String, ValueType>();
    var members = KnownMembers.CLOSED;
    for (var entry : map.entries()) {
      var key = typeOf(entry.key());
      var value = typeOf(entry.value());
      var name = Trees.text(entry.key());
      if (name.isPresent() && !entry.optionalEntry() && key instanceof Text) {
        fields.put(name.get(), value);
      } else {
        members = KnownMembers.OPEN;
      }
    }
    var object = new ObjectOf(fields, map.entries().isEmpty() ? KnownMembers.OPEN : members);
    sends.written(object);
    return object;
  }

  private ValueType select(CelMutableExpr node) {
    var select = node.select();
    var owner = typeOf(select.operand());
    var access = select.testOnly() ? Access.ASKED : Access.READ;
    var found = field(new Selection(node, select.operand(), select.field(), access), owner);
    return select.testOnly() ? Simple.BOOL : found;
  }

  /// @param node that selects
  private record Selection(
      CelMutableExpr node, CelMutableExpr operand, String field, Access access) {
    Selection tested() {
      return new Selection(node, operand, field, Access.ASKED);
    }
  }

  private ValueType field(Selection selection, ValueType owner) {
    var field = selection.field();
    return switch (owner) {
      case ObjectOf object -> {
        if (object.lacks(field)) {
          problems.unknown(
              selection.node(),
              new TypeProblem.UnknownField(
                  Trees.written(selection.operand()),
                  field,
                  object.fields().keySet(),
                  selection.access(),
                  Position.START));
        }
        yield object.field(field);
      }
      case Maybe(var value) -> new Maybe(field(selection.tested(), value));
      case Simple simple when isOneOf(simple, Simple.NULL) -> Simple.ANY;
      case Text _, Simple _, ListOf _ -> {
        problems.noFields(selection.node(), Trees.written(selection.operand()), field, owner);
        yield Simple.ANY;
      }
    };
  }

  private ValueType call(CelMutableExpr node) {
    var call = node.call();
    return switch (call.function()) {
      case "_[_]" -> indexed(node, call, Access.READ);
      case "_[?_]", "_?._" -> {
        var value = indexed(node, call, Access.ASKED);
        yield value instanceof Maybe ? value : new Maybe(value);
      }
      case "_==_", "_!=_" -> equality(node, call);
      case "@in" -> contained(node, call);
      case "flatten" -> {
        types(call);
        yield ValueTypes.LIST;
      }
      default -> function(node, call);
    };
  }

  private ValueType indexed(CelMutableExpr node, CelMutableCall call, Access access) {
    var owner = typeOf(call.args().getFirst());
    var key = typeOf(call.args().getLast());
    var name = Trees.text(call.args().getLast());
    if (owner instanceof ListOf(var item)) {
      if (isOneOf(key, Simple.NUMBER)) {
        return item;
      }
    } else if (name.isEmpty()) {
      return Simple.ANY;
    }
    return field(new Selection(node, call.args().getFirst(), name.orElse("…"), access), owner);
  }

  private ValueType equality(CelMutableExpr node, CelMutableCall call) {
    var left = typeOf(call.args().getFirst());
    var right = typeOf(call.args().getLast());
    if (!ValueTypes.meet(left, right)) {
      problems.unequal(node, left, right);
    }
    return Simple.BOOL;
  }

  private ValueType contained(CelMutableExpr node, CelMutableCall call) {
    var key = call.args().getFirst();
    var keyType = typeOf(key);
    var container = typeOf(call.args().getLast());
    if (container instanceof ObjectOf) {
      Trees.text(key)
          .ifPresent(
              it -> field(new Selection(key, call.args().getLast(), it, Access.ASKED), container));
    } else if (!isOneOf(container) && !(container instanceof ListOf)) {
      problems.wrongAt(
          node, "", "'in' needs a list or an object behind it, this is " + container.said());
    } else if (container instanceof ListOf(var item) && !ValueTypes.meet(keyType, item)) {
      problems.unequal(node, keyType, item);
    }
    return Simple.BOOL;
  }

  /// Of the target, if there is one, and of the arguments.
  private List<ValueType> types(CelMutableCall call) {
    var types = new ArrayList<ValueType>();
    call.target().ifPresent(it -> types.add(typeOf(it)));
    call.args().forEach(it -> types.add(typeOf(it)));
    return types;
  }

  private ValueType function(CelMutableExpr node, CelMutableCall call) {
    var space = call.target().flatMap(it -> namespaced(it, call.function()));
    var function = space.orElse(call.function());
    var style = space.isEmpty() && call.target().isPresent() ? CallStyle.MEMBER : CallStyle.GLOBAL;
    var types = space.isEmpty() ? types(call) : call.args().stream().map(this::typeOf).toList();
    sends.called(function, types);
    var result = overloads.result(function, style, types);
    if (result.isEmpty() && overloads.knows(function) && !function.contains("@")) {
      problems.wrongAt(
          node,
          call.function(),
          CallMessages.sentence(function, types, overloads.taken(function, style), style));
    }
    return result.orElse(Simple.ANY);
  }

  /// `math.round` and the like.
  private Optional<String> namespaced(CelMutableExpr target, String function) {
    return target.getKind() == Kind.IDENT && !loops.containsKey(target.ident().name())
        ? Optional.of(target.ident().name() + "." + function).filter(overloads::knows)
        : Optional.empty();
  }

  private ValueType loop(CelMutableComprehension loop) {
    var range = typeOf(loop.iterRange());
    var accumulated = typeOf(loop.accuInit());
    if (range instanceof Text || range == Simple.BOOL || range == Simple.NUMBER) {
      problems.wrong(
          loop.iterRange(),
          "only a list or an object can be gone through, this is " + range.said());
    }
    boolean two = !loop.iterVar2().isEmpty();
    var item = range instanceof ListOf(var it) ? it : Simple.ANY;
    var key = range instanceof ObjectOf ? ValueTypes.STRING : item;
    var outer = new HashMap<>(loops);
    loops.put(loop.accuVar(), accumulated);
    loops.put(loop.iterVar(), two ? index(range) : key);
    if (two) {
      loops.put(loop.iterVar2(), item);
    }
    typeOf(loop.loopCondition());
    var all = ValueTypes.join(accumulated, typeOf(loop.loopStep()));
    restore(outer);
    loops.put(loop.accuVar(), all);
    var result = typeOf(loop.result());
    restore(outer);
    return result;
  }

  private void restore(Map<String, ValueType> outer) {
    loops.clear();
    loops.putAll(outer);
  }

  private static ValueType index(ValueType range) {
    return switch (range) {
      case ListOf _ -> Simple.NUMBER;
      case ObjectOf _ -> ValueTypes.STRING;
      default -> Simple.ANY;
    };
  }
}
