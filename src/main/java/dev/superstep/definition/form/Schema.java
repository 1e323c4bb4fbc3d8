package dev.superstep.definition.form;

import dev.superstep.state.value.ObjectValue;
import dev.superstep.state.value.Value;
import java.util.Optional;
import java.util.function.BiConsumer;

/// The schema of a value in a definition.
interface Schema {

  /// The value in long form. Empty if it is unusable, which has then been reported at `at`.
  Optional<Value> read(Value value, Location at);

  /// JSON Schema of the long form, for API clients.
  ObjectValue schema();

  /// Hands over the schemas that [#schema] refers to by name.
  default void collect(BiConsumer<String, ObjectValue> schemas) {}

  /// A schema of these two functions.
  static Schema of(ObjectValue schema, Reader reader) {
    return new Schema() {
      @Override
      public Optional<Value> read(Value value, Location at) {
        return reader.read(value, at);
      }

      @Override
      public ObjectValue schema() {
        return schema;
      }
    };
  }

  /// This schema with another reading.
  default Schema readBy(Reader reader) {
    var schema = this;
    return new Schema() {
      @Override
      public Optional<Value> read(Value value, Location at) {
        return reader.read(value, at);
      }

      @Override
      public ObjectValue schema() {
        return schema.schema();
      }

      @Override
      public void collect(BiConsumer<String, ObjectValue> schemas) {
        schema.collect(schemas);
      }
    };
  }

  /// See [Schema#read].
  @FunctionalInterface
  interface Reader {
    Optional<Value> read(Value value, Location at);
  }
}
