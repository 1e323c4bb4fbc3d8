package dev.superstep.definition.check;

import dev.superstep.definition.form.ConfigKeys;
import dev.superstep.definition.form.Item;
import dev.superstep.expression.Expressions;
import dev.superstep.expression.Inspection;
import dev.superstep.expression.TypeCheck.Expected;
import dev.superstep.expression.ValueType;
import dev.superstep.graph.Location;
import dev.superstep.state.value.ListValue;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.state.value.Value;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;

/// Finds the expressions and templates of a definition and their locations.
final class ExpressionTexts {
  private static final String MARK = "{{";
  private static final String INPUT = "input";
  private static final String EXPRESSION = "expression";

  /// Texts beyond this many are not checked: unknown names in them fail at run time.
  private static final int TEXTS_MAX = 10_000;

  private final ObjectValue graph;
  private final Location at;

  private ExpressionTexts(ObjectValue graph, Location at) {
    this.graph = graph;
    this.at = at;
  }

  /// What one of them says.
  record Inspected(Inspection inspection, Location location) {}

  /// An expression, or a text with segments.
  ///
  /// @param node whose input it may read; empty: none
  /// @param types of its variables
  private record FoundText(
      String text,
      Location location,
      Expected expected,
      String node,
      Map<String, ValueType> types) {

    boolean reads(Map<String, ValueType> inputs) {
      return inputs.containsKey(node) && text.contains(INPUT);
    }

    FoundText with(Map<String, ValueType> inputs) {
      var all = new HashMap<>(types);
      all.put(INPUT, inputs.get(node));
      return new FoundText(text, location, expected, node, all);
    }

    /// Wherever braces stand, a template is meant.
    Inspection inspect(Expressions expressions) {
      return text.contains(MARK)
          ? expressions.inspectTemplate(text, types)
          : expressions.inspect(text, types, expected);
    }
  }

  /// All of them but those that do not compile.
  ///
  /// @param routing the nodes that may dispatch
  static List<Inspected> inspect(
      ObjectValue graph,
      Location at,
      VariableTypes types,
      Set<String> routing,
      Expressions expressions) {
    var all = new ArrayList<FoundText>();
    new ExpressionTexts(graph, at).each(types, all::add);
    var found = all.stream().filter(it -> !it.location().hasError()).limit(TEXTS_MAX).toList();
    var inspected = new ArrayList<Inspected>();
    found.forEach(it -> inspected.add(new Inspected(it.inspect(expressions), it.location())));
    if (found.size() == all.size()) {
      var inputs = InputTypes.of(graph, at, byPointer(inspected), routing);
      for (int i = 0; i < found.size(); i++) {
        if (found.get(i).reads(inputs)) {
          inspected.set(
              i,
              new Inspected(
                  found.get(i).with(inputs).inspect(expressions), found.get(i).location()));
        }
      }
    }
    return inspected;
  }

  private static Map<String, Inspection> byPointer(List<Inspected> inspected) {
    var byPointer = new HashMap<String, Inspection>();
    inspected.forEach(it -> byPointer.put(it.location().pointer(), it.inspection()));
    return byPointer;
  }

  private void each(VariableTypes types, Consumer<FoundText> visitor) {
    Visitor elsewhere =
        (text, location, expected) ->
            visitor.accept(new FoundText(text, location, expected, "", types.everywhere()));
    for (var item : Item.each(graph, "nodes", at)) {
      config(item, types, elsewhere, visitor);
      var id = item.textOrEmpty("id");
      expression(
          "key",
          Expected.VALUE,
          item.in("cache"),
          (text, where, expected) ->
              visitor.accept(new FoundText(text, where, expected, id, types.everywhere())));
      filter(item, elsewhere);
    }
    for (var item : Item.each(graph, "edges", at)) {
      expression("condition", Expected.CONDITION, item, elsewhere);
      expression("route", Expected.ROUTE, item, elsewhere);
      filter(item, elsewhere);
    }
    for (var channel : Item.each(graph, "channels", at)) {
      var summarizer = channel.in("compaction").in("summarizer");
      expression(EXPRESSION, Expected.VALUE, summarizer, elsewhere);
      expression(
          EXPRESSION,
          Expected.VALUE,
          channel,
          (text, where, expected) ->
              visitor.accept(
                  new FoundText(text, where, expected, "", types.merging(channel.name()))));
    }
    graph
        .objectOrEmpty("context")
        .find("template")
        .ifPresent(it -> template(it, at.key("context").key("template"), elsewhere));
  }

  /// Takes a text and what it is for.
  private interface Visitor {
    void accept(String text, Location at, Expected expected);
  }

  private static void filter(Item item, Visitor visitor) {
    item.find("context_filter")
        .ifPresent(it -> conditions(it, item.at().key("context_filter"), visitor));
  }

  private static void config(
      Item node, VariableTypes types, Visitor elsewhere, Consumer<FoundText> visitor) {
    var id = node.textOrEmpty("id");
    var inConfig = types.in(node.object());
    var config = node.in("config");
    config
        .object()
        .forEach((key, value) -> {
          if (ConfigKeys.CONDITIONS.contains(key)) {
            expression(
                key,
                Expected.CONDITION,
                config,
                (text, where, expected) ->
                    visitor.accept(
                        new FoundText(text, where, expected, id, types.judging(node.object()))));
          } else if (key.equals("summarizer") && value instanceof ObjectValue) {
            expression(EXPRESSION, Expected.VALUE, config.in(key), elsewhere);
          } else if (ConfigKeys.isTemplate(key)) {
            template(
                value,
                config.at(key),
                (text, where, expected) ->
                    visitor.accept(new FoundText(text, where, expected, id, inConfig)));
          }
        });
  }

  private static void expression(String key, Expected expected, Item owner, Visitor visitor) {
    owner.findText(key).ifPresent(it -> visitor.accept(it, owner.at(key), expected));
  }

  private static void template(Value value, Location at, Visitor visitor) {
    switch (value) {
      case Value.Text(var text) -> {
        if (text.contains(MARK)) {
          visitor.accept(text, at, Expected.VALUE);
        }
      }
      case ListValue list -> {
        for (int i = 0; i < list.size(); i++) {
          template(list.get(i), at.item(i), visitor);
        }
      }
      case ObjectValue object -> object.forEach((key, it) -> template(it, at.key(key), visitor));
      case Value.Null _, Value.Bool _, Value.Int _, Value.Real _ -> {}
    }
  }

  /// Those of a filter, at any depth.
  private static void conditions(Value filter, Location at, Visitor visitor) {
    switch (filter) {
      case ObjectValue object -> {
        expression("condition", Expected.CONDITION, new Item(object, at), visitor);
        object.forEach((key, it) -> conditions(it, at.key(key), visitor));
      }
      case ListValue list -> {
        for (int i = 0; i < list.size(); i++) {
          conditions(list.get(i), at.item(i), visitor);
        }
      }
      case Value.Text _, Value.Null _, Value.Bool _, Value.Int _, Value.Real _ -> {}
    }
  }
}
