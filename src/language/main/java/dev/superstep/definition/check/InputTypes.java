package dev.superstep.definition.check;

import dev.superstep.definition.form.Item;
import dev.superstep.expression.Inspection;
import dev.superstep.expression.Inspection.GivenVariables;
import dev.superstep.expression.Send;
import dev.superstep.expression.ValueType;
import dev.superstep.expression.ValueType.Simple;
import dev.superstep.expression.ValueTypes;
import dev.superstep.graph.Location;
import dev.superstep.state.value.ListValue;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.state.value.Value;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/// Finds what is known of the `input` of nodes, from the dispatches that lead there. Of a node to
/// which anything may dispatch that is not written in the definition, nothing is known.
final class InputTypes {
  private static final List<String> RESULTS = List.of("result", "output");
  private static final String DISPATCH = "dispatch";

  private final Map<String, Inspection> texts;
  private final Map<String, ValueType> inputs = new HashMap<>();
  private final Set<String> unknown = new HashSet<>();
  private boolean anything;

  private InputTypes(Map<String, Inspection> texts) {
    this.texts = texts;
  }

  /// @param texts all expressions of the graph, by pointer
  /// @param routing the nodes that may dispatch
  /// @return by node
  static Map<String, ValueType> of(
      ObjectValue graph, Location at, Map<String, Inspection> texts, Set<String> routing) {
    var types = new InputTypes(texts);
    texts.values().forEach(it -> types.sent(it.sends()));
    for (var edge : Item.each(graph, "edges", at)) {
      if (edge.has("route")) {
        types.text(edge.at("route"), edge);
      }
    }
    for (var node : Item.each(graph, "nodes", at)) {
      if (routing.contains(node.textOrEmpty("id"))) {
        types.results(node);
      }
    }
    types.inputs.keySet().removeAll(types.unknown);
    return types.anything ? Map.of() : types.inputs;
  }

  private void sent(Optional<List<Send>> sends) {
    sends.ifPresentOrElse(
        all -> all.forEach(it -> receives(it.node(), it.input())), () -> anything = true);
  }

  private void receives(String node, ValueType input) {
    inputs.merge(node, input, ValueTypes::join);
  }

  /// @param source a node or an edge, which may name its targets
  private void unseen(Item source) {
    var targets = source.texts("targets");
    unknown.addAll(targets);
    anything |= targets.isEmpty();
  }

  private void text(Location at, Item source) {
    var inspection = texts.get(at.pointer());
    if (inspection == null || inspection.given() == GivenVariables.UNKNOWN) {
      unseen(source);
    }
  }

  /// A node whose results are not written in its `config` may dispatch anything.
  private void results(Item node) {
    var config = node.in("config");
    boolean written = node.isText("type", "expression");
    if (written) {
      dispatches(config, node);
    }
    for (var key : RESULTS) {
      boolean literal = config.findObject(key).isPresent();
      written |= literal;
      if (literal) {
        dispatches(config.in(key), node);
      } else if (config.has(key)) {
        unseen(node);
      }
    }
    if (!written) {
      unseen(node);
    }
  }

  private void dispatches(Item result, Item node) {
    var at = result.at(DISPATCH);
    var dispatches = result.find(DISPATCH).orElse(Value.NULL);
    if (dispatches instanceof ListValue list) {
      for (int i = 0; i < list.size(); i++) {
        dispatch(list.get(i), at.item(i), node);
      }
    } else {
      dispatch(dispatches, at, node);
    }
  }

  private void dispatch(Value dispatch, Location at, Item node) {
    switch (dispatch) {
      case Value.Text _ -> text(at, node);
      case ObjectValue object when object.get("node") instanceof Value.Text(var target) -> {
        if (target.contains("{{")) {
          unseen(node);
        } else {
          var input = Optional.ofNullable(object.get("input"));
          receives(target, input.map(SchemaTypeReader::of).orElse(Simple.NULL));
        }
      }
      case Value.Null _ -> {}
      case ObjectValue _, ListValue _, Value.Bool _, Value.Int _, Value.Real _ -> unseen(node);
    }
  }
}
