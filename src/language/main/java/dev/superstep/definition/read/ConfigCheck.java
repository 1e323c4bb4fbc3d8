package dev.superstep.definition.read;

import dev.superstep.definition.Codes;
import dev.superstep.definition.Suggestion;
import dev.superstep.definition.check.TemplateInCondition;
import dev.superstep.definition.type.NodeType;
import dev.superstep.definition.type.SchemaReader;
import dev.superstep.graph.Location;
import dev.superstep.graph.Pointer;
import dev.superstep.graph.Violation;
import dev.superstep.state.ValueCheck;
import dev.superstep.state.value.ListValue;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.state.value.Value;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/// Checks the `config` of nodes against the schemas that their types publish.
final class ConfigCheck {
  private final SchemaReader schemas;

  /// By type. Compiled when a definition has such a node: most have few types.
  private final Map<String, ValueCheck> checks = new ConcurrentHashMap<>();

  ConfigCheck(SchemaReader schemas) {
    this.schemas = schemas;
  }

  /// Whether the configuration is valid; reports every error.
  boolean passes(NodeType type, ObjectValue config, Location at) {
    var known = new Spelling(type.name()).known(config, type.configSchema(), at);
    var check = checks.computeIfAbsent(type.name(), _ -> schemas.published(type.configSchema()));
    var violations = check.check(known);
    violations.forEach(it ->
        at.error(
            Violation.of(
                it.pointer(),
                Codes.INVALID_CONFIG,
                it.message() + templateHint(config, it.pointer()))));
    return violations.isEmpty() && known.equals(config);
  }

  private static String templateHint(ObjectValue config, String pointer) {
    return Pointer.find(config, pointer)
        .filter(it -> it instanceof Value.Text(var text) && text.contains("{{"))
        .map(_ -> TemplateInCondition.NO_TEMPLATE)
        .orElse("");
  }

  /// Refuses unknown keys and words at any depth, because a schema cannot suggest the right one.
  private record Spelling(String type) {

    /// The object without what was refused.
    ObjectValue known(ObjectValue object, ObjectValue schema, Location at) {
      var properties = schema.objectOrEmpty("properties");
      var known = object;
      boolean closed = schema.find("additionalProperties").equals(Optional.of(Value.FALSE));
      for (var member : object.asMap().entrySet()) {
        var key = member.getKey();
        if (properties.get(key) instanceof ObjectValue inner) {
          var kept = known(member.getValue(), inner, at.key(key));
          known = kept.isPresent() ? known.plus(key, kept.get()) : known.minus(key);
        } else if (closed && !properties.has(key)) {
          at.key(key)
              .error(
                  Codes.UNKNOWN_FIELD,
                  "there is no key '%s' in the config of type '%s'%s"
                      .formatted(key, type, Suggestion.among(properties.asMap().keySet(), key)));
          known = known.minus(key);
        }
      }
      return known;
    }

    private Optional<Value> known(Value value, ObjectValue schema, Location at) {
      return switch (value) {
        case ObjectValue object -> Optional.of(known(object, schema, at));
        case ListValue list when schema.findObject("items").isPresent() ->
            Optional.of(items(list, schema.findObject("items").get(), at));
        case Value.Text(var word) -> word(word, schema.texts("enum"), at);
        case Value other -> Optional.of(other);
      };
    }

    private ListValue items(ListValue list, ObjectValue schema, Location at) {
      var kept = ListValue.builder();
      for (int i = 0; i < list.size(); i++) {
        known(list.get(i), schema, at.item(i)).ifPresent(kept::add);
      }
      return kept.build();
    }

    private static Optional<Value> word(String word, List<String> allowed, Location at) {
      if (allowed.isEmpty() || allowed.contains(word)) {
        return Optional.of(Value.of(word));
      }
      at.error(
          Codes.INVALID_CONFIG,
          "'%s' is not one of %s%s"
              .formatted(
                  word,
                  String.join(", ", allowed),
                  word.contains("{{")
                      ? TemplateInCondition.NO_TEMPLATE
                      : Suggestion.among(allowed, word)));
      return Optional.empty();
    }
  }
}
