package dev.superstep.definition.type;

import dev.superstep.definition.Codes;
import dev.superstep.graph.Location;
import dev.superstep.graph.Violation;
import dev.superstep.json.InvalidSchemaException;
import dev.superstep.json.Schemas;
import dev.superstep.state.ValueCheck;
import dev.superstep.state.value.Accessors;
import dev.superstep.state.value.ObjectValue;
import java.util.Optional;

/// Compiles the JSON Schemas of a definition and reports errors at their location.
public final class SchemaReader {

  /// The check that the `schema` among these keys asks for, if there is a sound one.
  public Optional<ValueCheck> read(Accessors owner, Location at) {
    return owner.find("schema").flatMap(it -> compile((ObjectValue) it, at));
  }

  private static Optional<ValueCheck> compile(ObjectValue schema, Location at) {
    try {
      return Optional.of(Schemas.compile(schema));
    } catch (InvalidSchemaException e) {
      e.problems()
          .forEach(it -> at.error(Violation.of(it.pointer(), Codes.INVALID_SCHEMA, it.message())));
      return Optional.empty();
    }
  }

  /// A schema that a node type publishes: it is ours, and sound.
  public ValueCheck published(ObjectValue schema) {
    return Schemas.compileSound(schema);
  }
}
