package dev.superstep.definition.form;

import dev.superstep.definition.Codes;
import dev.superstep.graph.Location;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.state.value.Value;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiConsumer;

/// The schema of a value in a definition.
interface Schema {
  /// Longer strings are not shown in messages.
  int SHOWN_MAX = 60;

  /// The value in long form. Empty if it is unusable, which has then been reported at `at`.
  Optional<Value> read(Value value, Location at);

  /// Whom a JSON Schema is for.
  enum Audience {
    /// Clients of the API see the long form.
    CLIENT,
    /// Authors may write what their editors take.
    AUTHOR
  }

  /// JSON Schema of the value.
  ObjectValue schema(Audience audience);

  /// Hands over the schemas that [#schema] refers to by name.
  default void collect(Audience audience, BiConsumer<String, ObjectValue> schemas) {}

  /// Reports a value of another type.
  static void wrongType(Location at, String wanted, Value found) {
    at.error(
        Codes.WRONG_TYPE,
        "must be %s, not %s%s".formatted(wanted, what(found), quotes(wanted, found)));
  }

  private static String quotes(String wanted, Value found) {
    return wanted.equals("a string") && (found instanceof Value.Bool || isNumber(found))
        ? "; put it in quotes"
        : "";
  }

  private static boolean isNumber(Value found) {
    return found instanceof Value.Int || found instanceof Value.Real;
  }

  private static String what(Value found) {
    if (!(found instanceof Value.Text(var text))) {
      return article(found.typeName());
    }
    if (text.contains("{{")) {
      return "a template: nothing is evaluated here, write the value out";
    }
    return text.length() <= SHOWN_MAX ? "the string '%s'".formatted(text) : "a string";
  }

  private static String article(String type) {
    return switch (type) {
      case "null" -> "null";
      case "array" -> "a list";
      case "integer", "object" -> "an " + type;
      default -> "a " + type;
    };
  }

  /// The codes that reading may report of the value itself, not of what is in it.
  default Set<String> codes() {
    return Set.of();
  }

  /// A schema of these two functions.
  ///
  /// @param codes see [#codes]
  static Schema of(ObjectValue schema, Reader reader, String... codes) {
    return new Schema() {
      @Override
      public Set<String> codes() {
        return Set.of(codes);
      }

      @Override
      public Optional<Value> read(Value value, Location at) {
        return reader.read(value, at);
      }

      @Override
      public ObjectValue schema(Audience audience) {
        return schema;
      }
    };
  }

  /// This schema with another reading.
  default Schema readBy(Reader reader) {
    return readBy(reader, schema(Audience.AUTHOR));
  }

  /// This schema with another reading, for which authors may write what `authored` describes.
  default Schema readBy(Reader reader, ObjectValue authored) {
    var schema = this;
    return new Schema() {
      @Override
      public Optional<Value> read(Value value, Location at) {
        return reader.read(value, at);
      }

      @Override
      public ObjectValue schema(Audience audience) {
        return audience == Audience.AUTHOR ? authored : schema.schema(audience);
      }

      @Override
      public void collect(Audience audience, BiConsumer<String, ObjectValue> schemas) {
        schema.collect(audience, schemas);
      }

      @Override
      public Set<String> codes() {
        return schema.codes();
      }
    };
  }

  /// See [Schema#read].
  @FunctionalInterface
  interface Reader {
    Optional<Value> read(Value value, Location at);
  }
}
