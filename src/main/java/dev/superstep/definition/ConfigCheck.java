package dev.superstep.definition;

import dev.superstep.json.Pointer;
import dev.superstep.state.ObjectValue;
import dev.superstep.state.Value;
import dev.superstep.state.ValueCheck;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/// Checks the `config` of nodes against the schemas that their types publish.
final class ConfigCheck {
  private final Map<String, ValueCheck> checks = new HashMap<>();

  /// @throws IllegalStateException if a type publishes something that is no JSON Schema
  ConfigCheck(NodeTypes types, SchemaReader schemas) {
    types
        .all()
        .forEach(it -> checks.put(it.name(), schemas.published(it.name(), it.configSchema())));
  }

  /// Whether the configuration is fine; everything that is not is said.
  boolean passes(NodeType type, ObjectValue config, Place at) {
    var known = refuseUnknown(type, config, at);
    var violations = checks.getOrDefault(type.name(), ValueCheck.NONE).check(known);
    violations.forEach(it ->
        at.error(
            Problem.of(
                it.pointer(),
                Codes.INVALID_CONFIG,
                it.message() + templateHint(config, it.pointer()))));
    return violations.isEmpty() && known.size() == config.size();
  }

  private static String templateHint(ObjectValue config, String pointer) {
    return Pointer.find(config, pointer)
        .filter(it -> it instanceof Value.Text(var text) && text.contains("{{"))
        .map(_ -> "; a template cannot stand here, write the value out")
        .orElse("");
  }

  /// Unknown keys are refused here, because a schema cannot suggest the right one.
  private static ObjectValue refuseUnknown(NodeType type, ObjectValue config, Place at) {
    var schema = new Fields(type.configSchema());
    if (!schema.value("additionalProperties").equals(Optional.of(Value.FALSE))) {
      return config;
    }
    var keys = schema.objectOr("properties", ObjectValue.empty()).asMap().keySet();
    var known = config;
    for (var key : config.asMap().keySet()) {
      if (!keys.contains(key)) {
        at.key(key)
            .error(
                Codes.UNKNOWN_FIELD,
                "there is no key '%s' in the config of type '%s'%s"
                    .formatted(key, type.name(), Suggestion.among(keys, key)));
        known = known.minus(key);
      }
    }
    return known;
  }
}
