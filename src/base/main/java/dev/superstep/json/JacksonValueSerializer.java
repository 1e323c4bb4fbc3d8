package dev.superstep.json;

import dev.superstep.state.value.ListValue;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.state.value.Value;
import tools.jackson.core.JsonGenerator;
import tools.jackson.databind.SerializationContext;
import tools.jackson.databind.ValueSerializer;

/// Writes a [Value] in an answer with Jackson.
final class JacksonValueSerializer extends ValueSerializer<Value> {

  @Override
  public void serialize(Value value, JsonGenerator out, SerializationContext context) {
    write(value, out);
  }

  private static void write(Value value, JsonGenerator out) {
    switch (value) {
      case Value.Null _ -> out.writeNull();
      case Value.Bool(var flag) -> out.writeBoolean(flag);
      case Value.Int(var number) -> out.writeNumber(number);
      case Value.Real(var number) -> out.writeNumber(number);
      case Value.Text(var text) -> out.writeString(text);
      case ListValue list -> {
        out.writeStartArray();
        list.forEach(it -> write(it, out));
        out.writeEndArray();
      }
      case ObjectValue object -> {
        out.writeStartObject();
        object.forEach((key, member) -> {
          out.writeName(key);
          write(member, out);
        });
        out.writeEndObject();
      }
    }
  }
}
