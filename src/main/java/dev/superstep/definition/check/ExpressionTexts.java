package dev.superstep.definition.check;

import dev.superstep.definition.form.ConfigKeys;
import dev.superstep.definition.form.Fields;
import dev.superstep.definition.form.Item;
import dev.superstep.expression.compile.Expressions;
import dev.superstep.expression.compile.Inspection;
import dev.superstep.expression.type.TypeCheck.Expected;
import dev.superstep.expression.type.ValueType;
import dev.superstep.state.value.ListValue;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.state.value.Value;
import dev.superstep.violation.Location;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/// Finds the expressions and templates of a definition and their locations.
final class ExpressionTexts {
  private static final String MARK = "{{";

  /// Texts beyond this many are not checked: unknown names in them fail at run time.
  private static final int TEXTS_MAX = 10_000;

  private final Fields graph;
  private final Location at;

  private ExpressionTexts(Fields graph, Location at) {
    this.graph = graph;
    this.at = at;
  }

  /// What one of them says.
  record Inspected(Inspection inspection, Location location) {}

  /// An expression, or a text with segments.
  ///
  /// @param types of its variables
  private record Found(
      String text, Location location, Expected expected, Map<String, ValueType> types) {

    /// Wherever braces stand, a template is meant.
    Inspection inspect(Expressions expressions) {
      return text.contains(MARK)
          ? expressions.inspectTemplate(text, types)
          : expressions.inspect(text, types, expected);
    }
  }

  /// All of them but those that do not compile.
  static List<Inspected> inspect(
      Fields graph, Location at, VariableTypes types, Expressions expressions) {
    var inspected = new ArrayList<Inspected>();
    new ExpressionTexts(graph, at)
        .each(
            types,
            it -> {
              if (inspected.size() < TEXTS_MAX && !it.location().hasError()) {
                inspected.add(new Inspected(it.inspect(expressions), it.location()));
              }
            });
    return inspected;
  }

  private void each(VariableTypes types, Consumer<Found> visitor) {
    for (var item : Item.each(graph, "nodes", at)) {
      var inConfig = types.in(item.fields());
      config(
          item.fields().objectOr("config", ObjectValue.empty()),
          item.at().key("config"),
          (text, location, expected) ->
              visitor.accept(new Found(text, location, expected, inConfig)));
    }
    Visitor elsewhere =
        (text, location, expected) ->
            visitor.accept(new Found(text, location, expected, types.everywhere()));
    Item.each(graph, "nodes", at).forEach(it -> filter(it, elsewhere));
    for (var item : Item.each(graph, "edges", at)) {
      expression("condition", Expected.CONDITION, item.fields(), item.at(), elsewhere);
      expression("route", Expected.ROUTE, item.fields(), item.at(), elsewhere);
      filter(item, elsewhere);
    }
    graph
        .objectOr("channels", ObjectValue.empty())
        .forEach((name, value) -> channel(value, at.key("channels").key(name), elsewhere));
    graph
        .fields("context")
        .flatMap(it -> it.value("template"))
        .ifPresent(it -> template(it, at.key("context").key("template"), elsewhere));
  }

  /// Takes a text and what it is for.
  private interface Visitor {
    void accept(String text, Location at, Expected expected);
  }

  private static void filter(Item item, Visitor visitor) {
    item.fields()
        .value("context_filter")
        .ifPresent(it -> conditions(it, item.at().key("context_filter"), visitor));
  }

  private static void config(ObjectValue config, Location at, Visitor visitor) {
    config.forEach((key, value) -> {
      var here = at.key(key);
      if (ConfigKeys.CONDITIONS.contains(key)) {
        expression(key, Expected.CONDITION, new Fields(config), at, visitor);
      } else if (key.equals("summarizer") && value instanceof ObjectValue summarizer) {
        expression("expression", Expected.VALUE, new Fields(summarizer), here, visitor);
      } else if (ConfigKeys.isTemplate(key)) {
        template(value, here, visitor);
      }
    });
  }

  private static void channel(Value channel, Location at, Visitor visitor) {
    if (channel instanceof ObjectValue object) {
      var compaction = new Fields(object).fields("compaction");
      compaction
          .flatMap(it -> it.fields("summarizer"))
          .ifPresent(it ->
              expression(
                  "expression",
                  Expected.VALUE,
                  it,
                  at.key("compaction").key("summarizer"),
                  visitor));
    }
  }

  private static void expression(
      String key, Expected expected, Fields owner, Location at, Visitor visitor) {
    owner.text(key).ifPresent(it -> visitor.accept(it, at.key(key), expected));
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
        expression("condition", Expected.CONDITION, new Fields(object), at, visitor);
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
