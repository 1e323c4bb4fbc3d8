package dev.superstep.definition;

import dev.superstep.graph.Location;
import dev.superstep.graph.Violation;
import dev.superstep.json.Json;
import dev.superstep.json.JsonException;
import dev.superstep.state.ValueCheck;
import dev.superstep.state.ValueCheck.Mismatch;
import dev.superstep.state.value.Canonical;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.state.value.Value;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/// The params of a graph: what differs from deployment to deployment, such as an address or a
/// threshold. A run is given their values at its start, and keeps them.
///
/// @param declared by name
public record GraphParams(SortedMap<String, Param> declared) {
  /// Of a graph without params.
  public static final GraphParams NONE = new GraphParams(new TreeMap<>());

  /// What the values of a run take together, as JSON: they are stored with each run.
  public static final int BYTES_MAX = 65_536;

  private static final String MISSING = "missing_field";
  private static final String INVALID = "invalid_value";

  public GraphParams {
    declared = new TreeMap<>(declared);
  }

  /// @param check of its values
  /// @param standard used where neither the request nor the operator gives one
  public record Param(ValueCheck check, Optional<Value> standard) {}

  /// What the operator of a server has set for the params of a graph.
  public interface Operator {
    /// As written in the settings.
    Optional<String> text(String param);

    /// The name of the setting, for people.
    String setting(String param);
  }

  public boolean isEmpty() {
    return declared.isEmpty();
  }

  /// The value of each param: as asked for, else as the operator has set it, else its default.
  ///
  /// @param at of what was asked for; reports what does not fit, and what has no value
  public ObjectValue pin(ObjectValue asked, Operator operator, Location at) {
    asked.forEach((name, _) -> {
      if (!declared.containsKey(name)) {
        at.key(name).error("unknown_field", unknown(name));
      }
    });
    var pinned = new LinkedHashMap<String, Value>();
    declared.forEach((name, param) -> {
      var value =
          asked.has(name)
              ? fitting(param, asked.getOr(name, Value.NULL), at.key(name))
              : standard(name, param, operator, at.key(name));
      value.ifPresent(it -> pinned.put(name, it));
    });
    var values = ObjectValue.of(pinned);
    long bytes = Canonical.size(values);
    if (bytes > BYTES_MAX) {
      at.error(
          "limit_exceeded",
          "the params take %d bytes, at most %d are allowed; bring what is large with the input"
              .formatted(bytes, BYTES_MAX));
    }
    return values;
  }

  private String unknown(String name) {
    return isEmpty()
        ? "the graph has no params; remove '%s', or declare it in the definition".formatted(name)
        : "the graph has no param '%s'; it has %s"
            .formatted(name, String.join(", ", declared.keySet()));
  }

  private static Optional<Value> fitting(Param param, Value value, Location at) {
    var mismatches = param.check().byPointer(value);
    mismatches.forEach(it -> at.error(Violation.of(it.pointer(), INVALID, it.message())));
    return mismatches.isEmpty() ? Optional.of(value) : Optional.empty();
  }

  private static Optional<Value> standard(
      String name, Param param, Operator operator, Location at) {
    var text = operator.text(name);
    if (text.isPresent()) {
      return set(param, text.get(), operator.setting(name), at);
    }
    if (param.standard().isEmpty()) {
      at.error(
          MISSING,
          "has no value and no default: send it with the run, or let the operator set %s"
              .formatted(operator.setting(name)));
    }
    return param.standard();
  }

  /// A setting is text: it is taken as it stands if the schema allows that, else as JSON.
  private static Optional<Value> set(Param param, String text, String setting, Location at) {
    var readings = new ArrayList<Value>();
    if (Json.isStorable(text)) {
      readings.add(Value.of(text));
    }
    json(text).ifPresent(readings::add);
    var mismatches = List.of(new Mismatch("", "is no text that can be stored"));
    for (var reading : readings) {
      mismatches = param.check().byPointer(reading);
      if (mismatches.isEmpty()) {
        return Optional.of(reading);
      }
    }
    var first = mismatches.getFirst();
    at.error(
        INVALID,
        "the operator's setting %s does not fit%s: %s; correct the setting, or send the param with the run"
            .formatted(
                setting,
                first.pointer().isEmpty() ? "" : " at " + first.pointer(),
                first.message()));
    return Optional.empty();
  }

  private static Optional<Value> json(String text) {
    try {
      return Optional.of(Json.read(text));
    } catch (JsonException _) {
      return Optional.empty();
    }
  }
}
