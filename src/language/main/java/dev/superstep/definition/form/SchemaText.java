package dev.superstep.definition.form;

import dev.superstep.state.value.ListValue;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.state.value.Value;
import java.util.List;

/// Builds JSON Schema for API clients: one type per field, names for objects.
final class SchemaText {
  private SchemaText() {}

  static ObjectValue type(String type) {
    return ObjectValue.of("type", type);
  }

  static ObjectValue type(String type, String format) {
    return type(type).plus("format", format);
  }

  static ObjectValue oneOf(List<String> values) {
    return type("string").plus("enum", ListValue.texts(values.toArray(String[]::new)));
  }

  static ObjectValue listOf(ObjectValue item) {
    return type("array").plus("items", item);
  }

  static ObjectValue mapOf(ObjectValue member) {
    return type("object").plus("additionalProperties", member);
  }

  static ObjectValue openObject() {
    return type("object").plus("additionalProperties", Value.TRUE);
  }

  static ObjectValue anyOf(ObjectValue... schemas) {
    return ObjectValue.of("anyOf", ListValue.of(List.of(schemas)));
  }

  /// Within the document that editors read.
  static ObjectValue definition(String name) {
    return ObjectValue.of("$ref", "#/$defs/" + name);
  }

  static ObjectValue reference(String name) {
    return ObjectValue.of("$ref", "#/components/schemas/" + name);
  }
}
