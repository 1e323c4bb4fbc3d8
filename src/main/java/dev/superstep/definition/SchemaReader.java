package dev.superstep.definition;

import dev.superstep.state.ObjectValue;
import dev.superstep.state.ValueCheck;
import java.util.Optional;

/// Compiles the JSON Schemas of a definition and says at their place what is wrong with them.
final class SchemaReader {

  /// The check that the `schema` among these keys asks for, if there is a sound one.
  Optional<ValueCheck> read(Fields owner, Place at) {
    return Optional.empty();
  }

  /// A schema that a node type publishes.
  ValueCheck published(String type, ObjectValue schema) {
    return ValueCheck.NONE;
  }
}
