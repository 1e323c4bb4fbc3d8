package dev.superstep.expression;

import dev.cel.common.ast.CelConstant;
import dev.cel.common.ast.CelExpr.ExprKind.Kind;
import dev.cel.common.ast.CelMutableExpr;
import dev.cel.common.ast.CelMutableExpr.CelMutableCall;
import dev.cel.common.ast.CelMutableExpr.CelMutableMap;
import dev.superstep.expression.Inspection.GivenVariables;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/// Finds the nodes that a syntax tree names literally. Macros have been expanded: `map` and
/// `filter` are loops that collect what they give.
final class Mentions {
  private static final Set<String> SENDING = Set.of("dispatch", "fan_out");
  private static final Set<String> COLLECTING = Set.of("_?_:_", "_+_");
  private static final Set<String> KEYS_OF_A_DISPATCH = Set.of("node", "input", "id", "metadata");

  private final Map<Long, Integer> offsets;
  private final String source;
  private final List<Mention> found = new ArrayList<>();
  private GivenVariables given = GivenVariables.WRITTEN;

  private Mentions(Map<Long, Integer> offsets, String source) {
    this.offsets = offsets;
    this.source = source;
  }

  /// @param offsets of the tree's nodes
  static Mentions of(CelMutableExpr root, Map<Long, Integer> offsets, String source) {
    var mentions = new Mentions(offsets, source);
    mentions.visit(root);
    mentions.given(root);
    return mentions;
  }

  Inspection inspection(List<TypeProblem> problems, Sends sends) {
    return new Inspection(found, problems, sends.all(), given);
  }

  private void add(Mention.MentionKind kind, String name, CelMutableExpr node) {
    var offset = offsets.get(node.id());
    var at = offset == null ? Position.START : Position.ofCodePoint(source, offset);
    found.add(new Mention(kind, name, at.line(), at.column()));
  }

  private void visit(CelMutableExpr node) {
    if (node.getKind() == Kind.CALL) {
      addAll(Mention.MentionKind.DISPATCH, sentTo(node.call()));
    }
    Children.of(node).forEach(this::visit);
  }

  /// The literal nodes that a `dispatch` or `fan_out` chooses from.
  private static Stream<CelMutableExpr> sentTo(CelMutableCall call) {
    return SENDING.contains(call.function()) && call.target().isEmpty() && !call.args().isEmpty()
        ? texts(call.args().getFirst())
        : Stream.empty();
  }

  /// The literal texts that an expression may give.
  private static Stream<CelMutableExpr> texts(CelMutableExpr node) {
    if (node.getKind() == Kind.CALL && node.call().function().equals("_?_:_")) {
      return node.call().args().stream().skip(1).flatMap(Mentions::texts);
    }
    return Stream.of(node).filter(it -> text(it).isPresent());
  }

  private void addAll(Mention.MentionKind kind, Stream<CelMutableExpr> texts) {
    texts.forEach(it -> add(kind, text(it).orElseThrow(), it));
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
      case CONSTANT -> text(node).ifPresent(it -> add(Mention.MentionKind.GIVEN_NODE, it, node));
      case LIST -> node.list().elements().forEach(this::given);
      case MAP -> givenDispatch(node.map());
      case CALL -> given(node.call());
      case COMPREHENSION -> {
        var step = node.comprehension().loopStep();
        if (step.getKind() != Kind.CALL || !COLLECTING.contains(step.call().function())) {
          given = GivenVariables.UNKNOWN;
        }
        collected(step);
      }
      case NOT_SET, IDENT, SELECT, STRUCT -> given = GivenVariables.UNKNOWN;
    }
  }

  private void given(CelMutableCall call) {
    addAll(Mention.MentionKind.GIVEN_DISPATCH, sentTo(call));
    if (SENDING.contains(call.function())) {
      return;
    }
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
      default -> given = GivenVariables.UNKNOWN;
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
          .forEach(it -> addAll(Mention.MentionKind.GIVEN_DISPATCH, texts(it)));
    }
  }
}
