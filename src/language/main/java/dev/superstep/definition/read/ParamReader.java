package dev.superstep.definition.read;

import dev.superstep.definition.Codes;
import dev.superstep.definition.GraphParams;
import dev.superstep.definition.GraphParams.Param;
import dev.superstep.definition.form.Item;
import dev.superstep.definition.type.SchemaReader;
import dev.superstep.graph.Location;
import dev.superstep.graph.Violation;
import dev.superstep.json.Schemas;
import dev.superstep.state.ValueCheck;
import dev.superstep.state.value.Canonical;
import dev.superstep.state.value.ListValue;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.state.value.Value;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/// Reads the params of a graph.
final class ParamReader {
  private final SchemaReader schemas;

  ParamReader(SchemaReader schemas) {
    this.schemas = schemas;
  }

  GraphParams read(ObjectValue graph, Location at) {
    if (graph.objectOrEmpty("params").isEmpty()) {
      return GraphParams.NONE;
    }
    var here = at.key("params");
    var declared = new TreeMap<String, Param>();
    Item.each(graph, "params", at).forEach(it -> declared.put(it.name(), param(it)));
    checkNames(declared, here);
    checkSize(declared, here);
    return new GraphParams(declared);
  }

  private Param param(Item param) {
    var standard = param.find("default");
    var check =
        param.has("schema")
            ? schemas.read(param, param.at("schema")).orElse(ValueCheck.NONE)
            : standard.map(ParamReader::like).orElse(ValueCheck.NONE);
    standard
        .map(check::byPointer)
        .ifPresent(found ->
            found.forEach(it ->
                param
                    .at("default")
                    .error(Violation.of(it.pointer(), Codes.SCHEMA_VIOLATION, it.message()))));
    return new Param(check, standard);
  }

  /// Without a schema, values have the type of the default.
  private static ValueCheck like(Value standard) {
    var type =
        switch (standard) {
          case Value.Null _ -> Optional.<String>empty();
          case Value.Bool _ -> Optional.of("boolean");
          case Value.Int _, Value.Real _ -> Optional.of("number");
          case Value.Text _ -> Optional.of("string");
          case ListValue _ -> Optional.of("array");
          case ObjectValue _ -> Optional.of("object");
        };
    return type.map(it -> Schemas.compile(ObjectValue.of("type", it))).orElse(ValueCheck.NONE);
  }

  /// Names of environment variables have no case, and no underscore to spare.
  private static void checkNames(Map<String, Param> declared, Location at) {
    var known = new HashMap<String, String>();
    for (var name : declared.keySet()) {
      var other = known.putIfAbsent(name.replace("_", "").toLowerCase(Locale.ROOT), name);
      if (other != null) {
        at.key(name)
            .error(
                Codes.DUPLICATE,
                "params '%s' and '%s' have one setting: case and '_' do not count there; rename one"
                    .formatted(other, name));
      }
    }
  }

  private static void checkSize(Map<String, Param> declared, Location at) {
    long bytes =
        declared.values().stream()
            .flatMap(it -> it.standard().stream())
            .mapToLong(Canonical::size)
            .sum();
    if (bytes > GraphParams.BYTES_MAX) {
      at.error(
          Codes.TOO_MANY,
          "the defaults take %d bytes, at most %d are allowed"
              .formatted(bytes, GraphParams.BYTES_MAX));
    }
  }
}
