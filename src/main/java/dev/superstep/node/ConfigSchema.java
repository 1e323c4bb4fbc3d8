package dev.superstep.node;

import dev.superstep.json.Json;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.state.value.Value;
import java.io.IOException;
import java.io.UncheckedIOException;

/// The published JSON Schema of a node type's `config`: a resource `node-types/<type>.json`.
public final class ConfigSchema {
  private ConfigSchema() {}

  /// @throws IllegalStateException if the jar has no such schema
  public static ObjectValue read(String type) {
    var name = "/node-types/" + type + ".json";
    try (var in = ConfigSchema.class.getResourceAsStream(name)) {
      if (in != null && Json.read(in.readAllBytes()) instanceof ObjectValue schema) {
        return schema;
      }
      throw new IllegalStateException("no JSON Schema in " + name);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /// The schema's own description, which describes the node type.
  public static String describe(ObjectValue schema) {
    return schema.getOr("description", Value.of("")) instanceof Value.Text(var text) ? text : "";
  }
}
