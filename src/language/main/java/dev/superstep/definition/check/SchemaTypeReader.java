package dev.superstep.definition.check;

import dev.superstep.expression.ValueType;
import dev.superstep.expression.ValueType.KnownMembers;
import dev.superstep.expression.ValueType.ListOf;
import dev.superstep.expression.ValueType.ObjectOf;
import dev.superstep.expression.ValueType.Simple;
import dev.superstep.expression.ValueType.Text;
import dev.superstep.expression.ValueTypes;
import dev.superstep.state.value.ListValue;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.state.value.Value;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Reads what a JSON Schema says of the types of values. What it says in other ways than these is
/// not known, and never wrong.
final class SchemaTypeReader {
  private static final int DEPTH_MAX = 32;

  /// With one of these a schema says more than its own `properties` and `items`.
  private static final List<String> COMPOSED =
      List.of("$ref", "$dynamicRef", "anyOf", "oneOf", "allOf", "if");

  /// With one of these an object may have members that `properties` does not list.
  private static final List<String> OPENING =
      List.of("patternProperties", "dependentSchemas", "propertyNames", "unevaluatedProperties");

  private SchemaTypeReader() {}

  /// @param schema a JSON Schema, or nothing
  static ValueType read(Optional<Value> schema) {
    return schema.map(it -> read(it, 0)).orElse(Simple.ANY);
  }

  private static ValueType read(Value schema, int depth) {
    if (!(schema instanceof ObjectValue object)
        || depth > DEPTH_MAX
        || COMPOSED.stream().anyMatch(object::has)) {
      return Simple.ANY;
    }
    return switch (kind(object)) {
      case "string" -> new Text(words(object));
      case "integer", "number" -> Simple.NUMBER;
      case "boolean" -> Simple.BOOL;
      case "null" -> Simple.NULL;
      case "array" ->
          object.has("prefixItems")
              ? ValueTypes.LIST
              : new ListOf(object.find("items").map(it -> read(it, depth + 1)).orElse(Simple.ANY));
      case "object" -> object(object, depth);
      default -> Simple.ANY;
    };
  }

  /// Null beside another type changes nothing: a value may always be absent.
  private static String kind(ObjectValue schema) {
    if (schema.find("type").orElse(Value.NULL) instanceof ListValue) {
      var others = schema.texts("type").stream().filter(it -> !it.equals("null")).toList();
      return others.size() == 1 ? others.getFirst() : "";
    }
    var implied = schema.has("properties") ? "object" : words(schema).isEmpty() ? "" : "string";
    return schema.findText("type").orElse(implied);
  }

  /// The only texts that the schema allows; none: any.
  private static List<String> words(ObjectValue schema) {
    if (schema.findText("const").isPresent()) {
      return schema.findText("const").stream().toList();
    }
    var words = schema.texts("enum");
    long others =
        schema.listOrEmpty("enum").stream().filter(it -> !it.equals(Value.NULL)).count()
            - words.size();
    return others == 0 ? words : List.of();
  }

  /// An object that lists its members has no others, unless the schema says so: nothing would be
  /// found otherwise, because `additionalProperties: false` is rarely written.
  private static ValueType object(ObjectValue schema, int depth) {
    var properties = schema.findObject("properties");
    if (properties.isEmpty()) {
      return ValueTypes.OBJECT;
    }
    boolean closed =
        schema.find("additionalProperties").orElse(Value.FALSE).equals(Value.FALSE)
            && OPENING.stream().noneMatch(schema::has);
    var fields = new HashMap<String, ValueType>();
    properties.get().forEach((key, it) -> fields.put(key, read(it, depth + 1)));
    return new ObjectOf(Map.copyOf(fields), closed ? KnownMembers.CLOSED : KnownMembers.OPEN);
  }

  /// Of a value that is written out; of a template nothing is known.
  static ValueType of(Value value) {
    return switch (value) {
      case Value.Null _ -> Simple.NULL;
      case Value.Bool _ -> Simple.BOOL;
      case Value.Int _, Value.Real _ -> Simple.NUMBER;
      case Value.Text(var text) -> text.contains("{{") ? Simple.ANY : ValueTypes.STRING;
      case ListValue list ->
          new ListOf(
              list.stream()
                  .map(SchemaTypeReader::of)
                  .reduce(ValueTypes::join)
                  .orElse(Simple.NEVER));
      case ObjectValue object -> object.isEmpty() ? Simple.NEVER : written(object);
    };
  }

  private static ValueType written(ObjectValue object) {
    var fields = new HashMap<String, ValueType>();
    object.forEach((key, it) -> fields.put(key, of(it)));
    return ValueTypes.closed(fields);
  }
}
