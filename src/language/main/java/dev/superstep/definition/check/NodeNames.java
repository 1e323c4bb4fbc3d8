package dev.superstep.definition.check;

import dev.superstep.definition.Codes;
import dev.superstep.definition.Suggestion;
import dev.superstep.definition.form.Item;
import dev.superstep.expression.Expressions;
import dev.superstep.expression.Mention;
import dev.superstep.expression.Mention.MentionKind;
import dev.superstep.graph.Location;
import dev.superstep.graph.NodeId;
import dev.superstep.graph.Violation;
import dev.superstep.state.value.ObjectValue;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/// Checks the nodes that expressions name outright: a route or a dispatch to one that does not
/// exist, or that the author's own `targets` leave out, could only fail (E25).
final class NodeNames {
  private static final String DISPATCH = "dispatch";
  private final Expressions expressions;
  private final DeclaredNames declaredNames;

  /// Locations that have been reported: a dispatch that is given is one that is made, too.
  private final Set<String> complained = new HashSet<>();

  NodeNames(Expressions expressions, DeclaredNames declaredNames) {
    this.expressions = expressions;
    this.declaredNames = declaredNames;
  }

  /// @param named what all expressions of the graph name
  void check(ObjectValue graph, List<ExpressionTexts.Inspected> named, Location at) {
    for (var text : named) {
      text.inspection().mentions().stream()
          .filter(it -> it.kind() == MentionKind.DISPATCH)
          .forEach(it -> checkNode(it, Set.of(), text.location()));
    }
    Item.each(graph, "edges", at).forEach(this::checkRoute);
    Item.each(graph, "nodes", at).forEach(this::checkResults);
  }

  private void checkRoute(Item edge) {
    var route = edge.findText("route");
    if (route.isEmpty()) {
      return;
    }
    var keys = edge.objectOrEmpty("route_map").asMap().keySet();
    var allowed = Set.copyOf(edge.texts("targets"));
    var location = edge.at().key("route");
    for (var given : expressions.mentions(route.get())) {
      if (given.kind() == MentionKind.GIVEN_NODE && !keys.isEmpty()) {
        checkKey(given, keys, location);
      } else if (given.kind() == MentionKind.GIVEN_NODE) {
        checkTarget(given, allowed, location);
      } else if (given.kind() == MentionKind.GIVEN_DISPATCH) {
        checkNode(given, allowed, location);
      }
    }
  }

  /// The node results that a node's `config` holds: its own members, or those of `result` or
  /// `output`.
  private void checkResults(Item node) {
    var config = node.in("config");
    var allowed = new HashSet<>(node.texts("targets"));
    if (node.isText("type", "expression")) {
      checkResult(config, allowed, node);
    }
    for (var key : List.of("result", "output")) {
      checkResult(config.in(key), allowed, node);
    }
  }

  private void checkResult(Item result, Set<String> targets, Item node) {
    var gotos = new HashSet<>(targets);
    if (!targets.isEmpty()) {
      node.findText("if_empty").ifPresent(gotos::add);
    }
    for (var text : result.names("goto")) {
      for (var given : expressions.mentionsInTemplate(text.text())) {
        if (given.kind() == MentionKind.GIVEN_NODE) {
          checkTarget(given, gotos, text.at());
        }
      }
    }
    result.names(DISPATCH).forEach(it -> checkDispatched(it, MentionKind.GIVEN_DISPATCH, targets));
    for (var dispatch : result.each(DISPATCH)) {
      dispatch.names("node").forEach(it -> checkDispatched(it, MentionKind.GIVEN_NODE, targets));
    }
  }

  private void checkDispatched(Item.Name text, MentionKind kind, Set<String> targets) {
    for (var given : expressions.mentionsInTemplate(text.text())) {
      if (given.kind() == kind) {
        checkNode(given, targets, text.at());
      }
    }
  }

  private void checkKey(Mention given, Set<String> keys, Location at) {
    if (!keys.contains(given.name())) {
      report(
          at,
          problem(
              given,
              Codes.UNDECLARED_TARGET,
              "the edge's route_map has no key '%s'%s"
                  .formatted(given.name(), Suggestion.among(keys, given.name()))));
    }
  }

  /// @param allowed empty: every node
  private void checkTarget(Mention given, Set<String> allowed, Location at) {
    if (!given.name().equals(NodeId.END.value())) {
      checkNode(given, allowed, at);
    } else if (!allowed.isEmpty() && !allowed.contains(given.name())) {
      report(at, problem(given, Codes.UNDECLARED_TARGET, undeclared(given)));
    }
  }

  private void checkNode(Mention given, Set<String> allowed, Location at) {
    var name = given.name();
    if (!declaredNames.nodes().contains(name)) {
      report(
          at,
          problem(
              given,
              Codes.UNKNOWN_NODE,
              "there is no node '%s' to run%s"
                  .formatted(name, Suggestion.among(declaredNames.nodes(), name))));
    } else if (!allowed.isEmpty() && !allowed.contains(name)) {
      report(at, problem(given, Codes.UNDECLARED_TARGET, undeclared(given)));
    }
  }

  private void report(Location at, Violation violation) {
    if (complained.add(at.pointer() + violation.line() + ":" + violation.column())) {
      at.error(violation);
    }
  }

  private static String undeclared(Mention given) {
    return "'%s' is not among the declared targets; add it there".formatted(given.name());
  }

  private static Violation problem(Mention given, String code, String message) {
    return new Violation("", code, message, given.line(), given.column());
  }
}
