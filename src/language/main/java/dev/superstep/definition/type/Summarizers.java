package dev.superstep.definition.type;

import dev.superstep.definition.Codes;
import dev.superstep.definition.Suggestion;
import dev.superstep.engine.node.Summarizer;
import dev.superstep.engine.run.TaskError;
import dev.superstep.engine.run.TaskFailedException;
import dev.superstep.graph.Pointer;
import dev.superstep.graph.Violation;
import dev.superstep.graph.Violations;
import dev.superstep.state.ValueCheck;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.state.value.Value;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;

/// The summarizers of this server, by the type that definitions name.
public final class Summarizers {
  /// Types of the language. One that has no bean is accepted with a warning and fails.
  private static final List<String> KNOWN = List.of("drop", "expression", "function", "llm");

  private final Map<String, SummarizerType> types = new TreeMap<>();
  private final SchemaReader schemas = new SchemaReader();

  /// By type, as they are needed.
  private final Map<String, ValueCheck> checks = new ConcurrentHashMap<>();

  /// @throws IllegalStateException if two types have one name
  public Summarizers(Collection<? extends SummarizerType> found) {
    for (var type : found) {
      if (types.put(type.name(), type) != null) {
        throw new IllegalStateException("two summarizers are named '%s'".formatted(type.name()));
      }
    }
  }

  /// Whether definitions name a summarizer that this server does not have.
  public Optional<Violation> warning(ObjectValue config) {
    var type = type(config);
    return KNOWN.contains(type) && !types.containsKey(type)
        ? Optional.of(Violation.of("/type", Codes.SUMMARIZER_UNAVAILABLE, unavailable(type)))
        : Optional.empty();
  }

  /// @throws InvalidNodeException with all that is wrong; pointers begin at the summarizer
  ///
  /// @param graph the name of the graph that has it
  public Summarizer create(ObjectValue config, String graph) {
    var name = type(config);
    var type = types.get(name);
    if (type == null && KNOWN.contains(name)) {
      var error = TaskError.permanent(Codes.SUMMARIZER_UNAVAILABLE, unavailable(name));
      return (_, _) -> {
        throw new TaskFailedException(error);
      };
    }
    if (type == null) {
      throw new InvalidNodeException(List.of(unknown(config, name)));
    }
    var rest = config.minus("type");
    var violations = new Violations();
    checks
        .computeIfAbsent(name, _ -> schemas.published(type.configSchema()))
        .check(known(type, rest, violations))
        .forEach(it -> violations.error(it.pointer(), Codes.INVALID_CONFIG, it.message()));
    if (violations.hasErrors()) {
      throw new InvalidNodeException(violations.errors());
    }
    return type.create(rest, graph);
  }

  /// Reports keys that the type does not know; a schema could not suggest the right word.
  private static ObjectValue known(SummarizerType type, ObjectValue config, Violations violations) {
    var schema = type.configSchema();
    if (!schema.find("additionalProperties").equals(Optional.of(Value.FALSE))) {
      return config;
    }
    var keys = schema.objectOrEmpty("properties").asMap().keySet();
    var known = config;
    for (var key : config.asMap().keySet()) {
      if (!keys.contains(key)) {
        violations.error(
            Pointer.child("", key),
            Codes.UNKNOWN_FIELD,
            "a summarizer of type '%s' has no key '%s'%s"
                .formatted(type.name(), key, Suggestion.among(keys, key)));
        known = known.minus(key);
      }
    }
    return known;
  }

  private Violation unknown(ObjectValue config, String name) {
    var names = new TreeSet<>(KNOWN);
    names.addAll(types.keySet());
    return config.has("type")
        ? Violation.of(
            "/type",
            Codes.INVALID_VALUE,
            "there is no summarizer '%s'%s; known are %s"
                .formatted(name, Suggestion.among(names, name), String.join(", ", names)))
        : Violation.of(
            "/type", Codes.MISSING_FIELD, "a summarizer needs a type: " + String.join(", ", names));
  }

  private static String type(ObjectValue config) {
    return config.textOrEmpty("type");
  }

  private static String unavailable(String type) {
    return "this server has no summarizer of type '%s'; compactions by it will fail and lose nothing"
        .formatted(type);
  }
}
