package dev.superstep.definition;

import dev.superstep.json.InvalidSchemaException;
import dev.superstep.json.Schemas;
import dev.superstep.state.ObjectValue;
import dev.superstep.state.ValueCheck;
import java.util.Optional;

/// Compiles the JSON Schemas of a definition and says at their place what is wrong with them.
final class SchemaReader {

  /// The check that the `schema` among these keys asks for, if there is a sound one.
  Optional<ValueCheck> read(Fields owner, Place at) {
    return owner.value("schema").flatMap(it -> compile((ObjectValue) it, at));
  }

  private static Optional<ValueCheck> compile(ObjectValue schema, Place at) {
    try {
      return Optional.of(Schemas.compile(schema));
    } catch (InvalidSchemaException e) {
      e.problems()
          .forEach(it -> at.error(Problem.of(it.pointer(), Codes.INVALID_SCHEMA, it.message())));
      return Optional.empty();
    }
  }

  /// A schema that a node type publishes.
  ///
  /// @throws IllegalStateException if it is none
  ValueCheck published(String type, ObjectValue schema) {
    try {
      return Schemas.compile(schema);
    } catch (InvalidSchemaException e) {
      throw new IllegalStateException("the schema of node type '%s' is none".formatted(type), e);
    }
  }
}
