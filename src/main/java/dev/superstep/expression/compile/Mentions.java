package dev.superstep.expression.compile;

import dev.cel.common.CelAbstractSyntaxTree;
import dev.cel.common.CelMutableAst;
import dev.cel.common.ast.CelConstant;
import dev.cel.common.ast.CelExpr.ExprKind.Kind;
import dev.cel.common.ast.CelMutableExpr;
import dev.cel.common.ast.CelMutableExpr.CelMutableCall;
import dev.cel.common.ast.CelMutableExpr.CelMutableMap;
import dev.superstep.expression.Mention;
import dev.superstep.expression.Position;
import dev.superstep.expression.function.Children;
import dev.superstep.expression.function.LoopVariables;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/// Finds the channels and nodes that a syntax tree names literally. Macros have been expanded:
/// `map` and `filter` are loops that collect what they give.
final class Mentions {
  private static final String STATE = "state";
  private static final Set<String> SENDING = Set.of("dispatch", "fan_out");
  private static final Set<String> KEYS_OF_A_DISPATCH = Set.of("node", "input", "id", "metadata");

  private final Map<Long, Integer> offsets;
  private final String source;
  private final LoopVariables loops = new LoopVariables();
  private final List<Mention> found = new ArrayList<>();

  private Mentions(Map<Long, Integer> offsets, String source) {
    this.offsets = offsets;
    this.source = source;
  }

  static List<Mention> of(CelAbstractSyntaxTree parsed, String source) {
    var mentions = new Mentions(parsed.getSource().getPositionsMap(), source);
    var root = CelMutableAst.fromCelAst(parsed).expr();
    mentions.visit(root);
    mentions.given(root);
    return mentions.found;
  }

  private void add(Mention.Kind kind, String name, CelMutableExpr node) {
    var offset = offsets.get(node.id());
    var at = offset == null ? Position.START : Position.ofCodePoint(source, offset);
    found.add(new Mention(kind, name, at.line(), at.column()));
  }

  private void visit(CelMutableExpr node) {
    switch (node.getKind()) {
      case SELECT -> {
        if (isState(node.select().operand())) {
          var kind = node.select().testOnly() ? Mention.Kind.ASKED_CHANNEL : Mention.Kind.CHANNEL;
          add(kind, node.select().field(), node.select().operand());
        }
      }
      case CALL -> call(node.call());
      case COMPREHENSION -> {
        loops.visit(node.comprehension(), this::visit);
        return;
      }
      case NOT_SET, CONSTANT, IDENT, LIST, MAP, STRUCT -> {}
    }
    Children.of(node).forEach(this::visit);
  }

  private void call(CelMutableCall call) {
    var args = call.args();
    switch (call.function()) {
      case "_[_]" -> member(Mention.Kind.CHANNEL, args.getFirst(), args.getLast());
      case "_[?_]", "_?._" -> member(Mention.Kind.ASKED_CHANNEL, args.getFirst(), args.getLast());
      case "@in" -> member(Mention.Kind.ASKED_CHANNEL, args.getLast(), args.getFirst());
      default ->
          sentTo(call)
              .ifPresent(node -> add(Mention.Kind.DISPATCH, text(node).orElseThrow(), node));
    }
  }

  private void member(Mention.Kind kind, CelMutableExpr owner, CelMutableExpr key) {
    if (isState(owner)) {
      text(key).ifPresent(name -> add(kind, name, owner));
    }
  }

  /// The literal node of a `dispatch` or `fan_out`.
  private static Optional<CelMutableExpr> sentTo(CelMutableCall call) {
    return SENDING.contains(call.function()) && call.target().isEmpty() && !call.args().isEmpty()
        ? Optional.of(call.args().getFirst()).filter(it -> text(it).isPresent())
        : Optional.empty();
  }

  private boolean isState(CelMutableExpr node) {
    return node.getKind() == Kind.IDENT && node.ident().name().equals(STATE) && !loops.hide(STATE);
  }

  private static Optional<String> text(CelMutableExpr node) {
    return node.getKind() == Kind.CONSTANT
            && node.constant().getKind() == CelConstant.Kind.STRING_VALUE
        ? Optional.of(node.constant().stringValue())
        : Optional.empty();
  }

  /// The possible results of the expression, as far as they are known.
  private void given(CelMutableExpr node) {
    switch (node.getKind()) {
      case CONSTANT -> text(node).ifPresent(it -> add(Mention.Kind.GIVEN_NODE, it, node));
      case LIST -> node.list().elements().forEach(this::given);
      case MAP -> givenDispatch(node.map());
      case CALL -> given(node.call());
      case COMPREHENSION -> collected(node.comprehension().loopStep());
      case NOT_SET, IDENT, SELECT, STRUCT -> {}
    }
  }

  private void given(CelMutableCall call) {
    sentTo(call)
        .ifPresent(node -> add(Mention.Kind.GIVEN_DISPATCH, text(node).orElseThrow(), node));
    switch (call.function()) {
      case "_?_:_" -> call.args().stream().skip(1).forEach(this::given);
      case "_+_" -> {
        if (call.args().stream().allMatch(it -> text(it).isEmpty())) {
          call.args().forEach(this::given);
        }
      }
      case "orValue", "dyn" -> {
        call.target().ifPresent(this::given);
        call.args().forEach(this::given);
      }
      default -> {}
    }
  }

  /// The items that `map` and `filter` collect; of other loops nothing.
  private void collected(CelMutableExpr step) {
    if (step.getKind() == Kind.CALL && step.call().function().equals("_?_:_")) {
      step.call().args().stream().skip(1).forEach(this::collected);
    } else if (step.getKind() == Kind.CALL && step.call().function().equals("_+_")) {
      step.call().args().stream().filter(it -> it.getKind() == Kind.LIST).forEach(this::given);
    }
  }

  private void givenDispatch(CelMutableMap map) {
    var keys = map.entries().stream().map(it -> text(it.key()).orElse("")).toList();
    if (KEYS_OF_A_DISPATCH.containsAll(keys)) {
      map.entries().stream()
          .filter(it -> text(it.key()).equals(Optional.of("node")))
          .map(it -> it.value())
          .forEach(it -> text(it).ifPresent(name -> add(Mention.Kind.GIVEN_DISPATCH, name, it)));
    }
  }
}
