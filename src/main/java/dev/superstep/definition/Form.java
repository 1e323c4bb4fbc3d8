package dev.superstep.definition;

import dev.superstep.state.ObjectValue;
import dev.superstep.state.Value;
import java.util.Optional;
import java.util.function.BiConsumer;

/// What a value at some place of a definition must look like.
interface Form {

  /// The value in long form. Empty when it is not usable, which then has been said at `at`.
  Optional<Value> read(Value value, Place at);

  /// JSON Schema of the long form, for API clients.
  ObjectValue schema();

  /// Hands over the schemas that [#schema] refers to by name.
  default void collect(BiConsumer<String, ObjectValue> schemas) {}

  /// A form that is no more than these two.
  static Form of(ObjectValue schema, Reader reader) {
    return new Form() {
      @Override
      public Optional<Value> read(Value value, Place at) {
        return reader.read(value, at);
      }

      @Override
      public ObjectValue schema() {
        return schema;
      }
    };
  }

  /// This form, read in another way.
  default Form readBy(Reader reader) {
    var form = this;
    return new Form() {
      @Override
      public Optional<Value> read(Value value, Place at) {
        return reader.read(value, at);
      }

      @Override
      public ObjectValue schema() {
        return form.schema();
      }

      @Override
      public void collect(BiConsumer<String, ObjectValue> schemas) {
        form.collect(schemas);
      }
    };
  }

  /// See [Form#read].
  @FunctionalInterface
  interface Reader {
    Optional<Value> read(Value value, Place at);
  }
}
