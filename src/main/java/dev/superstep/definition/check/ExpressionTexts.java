package dev.superstep.definition.check;

import dev.superstep.definition.form.Fields;
import dev.superstep.definition.form.Item;
import dev.superstep.expression.Mention;
import dev.superstep.expression.compile.Expressions;
import dev.superstep.state.value.ListValue;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.state.value.Value;
import dev.superstep.violation.Location;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.BiConsumer;

/// Finds the expressions and templates of a definition and their locations.
final class ExpressionTexts {
  private static final String MARK = "{{";

  /// Members of `config` that are expressions, and no templates.
  private static final Set<String> EXPRESSIONS = Set.of("success", "approval_when");

  /// Members of `config` that are neither.
  private static final Set<String> SCHEMAS = Set.of("answer_schema", "output_schema");

  /// Without one of these words nothing is named.
  private static final List<String> NAMING = List.of("state", "dispatch", "fan_out");

  /// Texts beyond this many are not checked: unknown names in them fail at run time.
  private static final int TEXTS_MAX = 10_000;

  private final Fields graph;
  private final Location at;

  private ExpressionTexts(Fields graph, Location at) {
    this.graph = graph;
    this.at = at;
  }

  /// What one of them names.
  record Named(List<Mention> mentions, Location location) {}

  /// Those that name channels or nodes outright.
  static List<Named> named(Fields graph, Location at, Expressions expressions) {
    var named = new ArrayList<Named>();
    new ExpressionTexts(graph, at)
        .each((text, location) -> {
          if (named.size() < TEXTS_MAX && NAMING.stream().anyMatch(text::contains)) {
            named.add(new Named(mentions(text, expressions), location));
          }
        });
    return named;
  }

  /// In a condition, too, braces mean a template.
  private static List<Mention> mentions(String text, Expressions expressions) {
    return text.contains(MARK) ? expressions.mentionsInTemplate(text) : expressions.mentions(text);
  }

  private void each(BiConsumer<String, Location> visitor) {
    for (var item : Item.each(graph, "nodes", at)) {
      config(
          item.fields().objectOr("config", ObjectValue.empty()), item.at().key("config"), visitor);
      filter(item, visitor);
    }
    for (var item : Item.each(graph, "edges", at)) {
      expression("condition", item.fields(), item.at(), visitor);
      expression("route", item.fields(), item.at(), visitor);
      filter(item, visitor);
    }
    graph
        .objectOr("channels", ObjectValue.empty())
        .forEach((name, value) -> channel(value, at.key("channels").key(name), visitor));
    graph
        .fields("context")
        .flatMap(it -> it.value("template"))
        .ifPresent(it -> template(it, at.key("context").key("template"), visitor));
  }

  private static void filter(Item item, BiConsumer<String, Location> visitor) {
    item.fields()
        .value("context_filter")
        .ifPresent(it -> conditions(it, item.at().key("context_filter"), visitor));
  }

  private static void config(
      ObjectValue config, Location at, BiConsumer<String, Location> visitor) {
    config.forEach((key, value) -> {
      var here = at.key(key);
      if (EXPRESSIONS.contains(key)) {
        expression(key, new Fields(config), at, visitor);
      } else if (key.equals("summarizer") && value instanceof ObjectValue summarizer) {
        expression("expression", new Fields(summarizer), here, visitor);
      } else if (!SCHEMAS.contains(key)) {
        template(value, here, visitor);
      }
    });
  }

  private static void channel(Value channel, Location at, BiConsumer<String, Location> visitor) {
    if (channel instanceof ObjectValue object) {
      var compaction = new Fields(object).fields("compaction");
      compaction
          .flatMap(it -> it.fields("summarizer"))
          .ifPresent(
              it -> expression("expression", it, at.key("compaction").key("summarizer"), visitor));
    }
  }

  private static void expression(
      String key, Fields owner, Location at, BiConsumer<String, Location> visitor) {
    owner.text(key).ifPresent(it -> visitor.accept(it, at.key(key)));
  }

  private static void template(Value value, Location at, BiConsumer<String, Location> visitor) {
    switch (value) {
      case Value.Text(var text) -> {
        if (text.contains(MARK)) {
          visitor.accept(text, at);
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
  private static void conditions(Value filter, Location at, BiConsumer<String, Location> visitor) {
    switch (filter) {
      case ObjectValue object -> {
        expression("condition", new Fields(object), at, visitor);
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
