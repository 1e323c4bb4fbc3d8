package dev.superstep.definition.form;

import dev.superstep.state.value.ObjectValue;
import dev.superstep.state.value.Value;
import java.util.Optional;
import java.util.function.BiConsumer;

/// What a value at some place of a definition must look like.
interface Schema {

  /// The value in long form. Empty when it is not usable, which then has been said at `at`.
  Optional<Value> read(Value value, Location at);

  /// JSON Schema of the long form, for API clients.
  ObjectValue schema();

  /// Hands over the schemas that [#schema] refers to by name.
  default void collect(BiConsumer<String, ObjectValue> schemas) {}

  /// A form that is no more than these two.
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

  /// This form, read in another way.
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
