package dev.superstep.node;

import dev.superstep.json.Json;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.state.value.Value;
import java.io.IOException;
import java.io.UncheckedIOException;

/// The published JSON Schema of a node type's `config`: a resource `node-types/<type>.json`. What
/// several of them say is a resource of its own, which `$ref` names and which is written out here:
/// what is published refers to nothing.
public final class ConfigSchema {
  private static final String REFERENCE = "$ref";

  private ConfigSchema() {}

  /// @throws IllegalStateException if the jar has no such schema
  public static ObjectValue read(String type) {
    return writtenOut(resource(type + ".json"));
  }

  private static ObjectValue resource(String file) {
    var name = "/node-types/" + file;
    try (var in = ConfigSchema.class.getResourceAsStream(name)) {
      if (in != null && Json.read(in.readAllBytes()) instanceof ObjectValue schema) {
        return schema;
      }
      throw new IllegalStateException("no JSON Schema in " + name);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static ObjectValue writtenOut(ObjectValue schema) {
    var out = schema.minus(REFERENCE);
    for (var member : out.asMap().entrySet()) {
      if (member.getValue() instanceof ObjectValue object) {
        out = out.plus(member.getKey(), writtenOut(object));
      }
    }
    return schema.get(REFERENCE) instanceof Value.Text(var file)
        ? together(writtenOut(resource(file)), out)
        : out;
  }

  /// What a schema says itself counts before what it refers to.
  private static ObjectValue together(ObjectValue referred, ObjectValue own) {
    var both = referred;
    for (var member : own.asMap().entrySet()) {
      var key = member.getKey();
      both =
          both.plus(
              key,
              both.get(key) instanceof ObjectValue before
                      && member.getValue() instanceof ObjectValue after
                  ? together(before, after)
                  : member.getValue());
    }
    return both;
  }
}
