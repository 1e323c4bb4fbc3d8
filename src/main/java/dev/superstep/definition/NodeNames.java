package dev.superstep.definition;

import dev.superstep.expression.Expressions;
import dev.superstep.expression.Mention;
import dev.superstep.expression.Mention.Kind;
import dev.superstep.graph.NodeId;
import dev.superstep.state.ListValue;
import dev.superstep.state.ObjectValue;
import dev.superstep.state.Value;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/// Checks the nodes that expressions name outright: a route or a dispatch to one that does not
/// exist, or that the author's own `targets` leave out, could only fail (E25).
final class NodeNames {
  private final Expressions expressions;
  private final Declared declared;

  /// The places that have been complained of: a dispatch that is given is one that is made, too.
  private final Set<String> complained = new HashSet<>();

  NodeNames(Expressions expressions, Declared declared) {
    this.expressions = expressions;
    this.declared = declared;
  }

  /// @param named what all expressions of the graph name
  void check(Fields graph, List<ExpressionTexts.Named> named, Place at) {
    for (var text : named) {
      text.mentions().stream()
          .filter(it -> it.kind() == Kind.DISPATCH)
          .forEach(it -> checkNode(it, Set.of(), text.place()));
    }
    Item.each(graph, "edges", at).forEach(this::checkRoute);
    Item.each(graph, "nodes", at).forEach(this::checkResults);
  }

  private void checkRoute(Item edge) {
    var route = edge.fields().text("route");
    if (route.isEmpty()) {
      return;
    }
    var keys = edge.fields().objectOr("route_map", ObjectValue.empty()).asMap().keySet();
    var allowed = Set.copyOf(edge.fields().texts("targets"));
    var place = edge.at().key("route");
    for (var given : expressions.mentions(route.get())) {
      if (given.kind() == Kind.GIVEN_NODE && !keys.isEmpty()) {
        checkKey(given, keys, place);
      } else if (given.kind() == Kind.GIVEN_NODE) {
        checkTarget(given, allowed, place);
      } else if (given.kind() == Kind.GIVEN_DISPATCH) {
        checkNode(given, allowed, place);
      }
    }
  }

  /// The node results that a node's `config` holds: its own members, or those of `result` or
  /// `output`.
  private void checkResults(Item node) {
    var config = node.fields().fields("config");
    if (config.isEmpty()) {
      return;
    }
    var at = node.at().key("config");
    var allowed = new HashSet<>(node.fields().texts("targets"));
    if (node.fields().text("type").filter("expression"::equals).isPresent()) {
      checkResult(config.get(), allowed, node, at);
    }
    for (var key : List.of("result", "output")) {
      config.get().fields(key).ifPresent(it -> checkResult(it, allowed, node, at.key(key)));
    }
  }

  private void checkResult(Fields result, Set<String> targets, Item node, Place at) {
    var gotos = new HashSet<>(targets);
    if (!targets.isEmpty()) {
      node.fields().text("if_empty").ifPresent(gotos::add);
    }
    result
        .value("goto")
        .ifPresent(it ->
            each(
                it,
                at.key("goto"),
                (text, place) -> {
                  for (var given : expressions.mentionsInTemplate(text)) {
                    if (given.kind() == Kind.GIVEN_NODE) {
                      checkTarget(given, gotos, place);
                    }
                  }
                }));
    result.value("dispatch").ifPresent(it -> dispatches(it, targets, at.key("dispatch")));
  }

  private void dispatches(Value dispatches, Set<String> targets, Place at) {
    each(
        dispatches,
        at,
        (text, place) -> {
          for (var given : expressions.mentionsInTemplate(text)) {
            if (given.kind() == Kind.GIVEN_DISPATCH) {
              checkNode(given, targets, place);
            }
          }
        });
    if (dispatches instanceof ListValue list) {
      for (int i = 0; i < list.size(); i++) {
        if (list.get(i) instanceof ObjectValue dispatch
            && dispatch.get("node") instanceof Value.Text(var text)) {
          var place = at.item(i).key("node");
          expressions.mentionsInTemplate(text).stream()
              .filter(it -> it.kind() == Kind.GIVEN_NODE)
              .forEach(it -> checkNode(it, targets, place));
        }
      }
    }
  }

  /// A text, or the texts of a list.
  private static void each(Value value, Place at, Visitor visitor) {
    if (value instanceof Value.Text(var text)) {
      visitor.visit(text, at);
    } else if (value instanceof ListValue list) {
      for (int i = 0; i < list.size(); i++) {
        if (list.get(i) instanceof Value.Text(var text)) {
          visitor.visit(text, at.item(i));
        }
      }
    }
  }

  @FunctionalInterface
  private interface Visitor {
    void visit(String text, Place at);
  }

  private void checkKey(Mention given, Set<String> keys, Place at) {
    if (!keys.contains(given.name())) {
      say(
          at,
          problem(
              given,
              Codes.UNDECLARED_TARGET,
              "the edge's route_map has no key '%s'%s"
                  .formatted(given.name(), Suggestion.among(keys, given.name()))));
    }
  }

  /// @param allowed empty: every node
  private void checkTarget(Mention given, Set<String> allowed, Place at) {
    if (!given.name().equals(NodeId.END.value())) {
      checkNode(given, allowed, at);
    } else if (!allowed.isEmpty() && !allowed.contains(given.name())) {
      say(at, problem(given, Codes.UNDECLARED_TARGET, undeclared(given)));
    }
  }

  private void checkNode(Mention given, Set<String> allowed, Place at) {
    var name = given.name();
    if (!declared.nodes().contains(name)) {
      say(
          at,
          problem(
              given,
              Codes.UNKNOWN_NODE,
              "there is no node '%s' to run%s"
                  .formatted(name, Suggestion.among(declared.nodes(), name))));
    } else if (!allowed.isEmpty() && !allowed.contains(name)) {
      say(at, problem(given, Codes.UNDECLARED_TARGET, undeclared(given)));
    }
  }

  private void say(Place at, Problem problem) {
    if (complained.add(at.pointer() + problem.position())) {
      at.error(problem);
    }
  }

  private static String undeclared(Mention given) {
    return "'%s' is not among the declared targets; add it there".formatted(given.name());
  }

  private static Problem problem(Mention given, String code, String message) {
    return Problem.at("", code, message, given.line(), given.column());
  }
}
