package dev.superstep.json;

import dev.superstep.state.value.CarrierYield;
import dev.superstep.state.value.ListValue;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.state.value.Value;
import org.springframework.stereotype.Component;
import tools.jackson.core.JsonGenerator;
import tools.jackson.databind.SerializationContext;
import tools.jackson.databind.ValueSerializer;
import tools.jackson.databind.module.SimpleModule;

/// Lets request and answer types hold a [Value], read as strictly as by [Json].
///
/// A JSON null is [Value.Null] in a field of type [Value], and Java's null in one of type
/// [ObjectValue] or [ListValue]; an absent field is Java's null. What is refused throws a
/// [JsonException] whose pointers lead from the root of the body.
@Component
public final class ValueModule extends SimpleModule {
  private static final long serialVersionUID = 1L;

  public ValueModule() {
    super("superstep-values");
    addSerializer(Value.class, new JacksonValueSerializer());
    addDeserializer(Value.class, new JacksonValueDeserializer<>(Value.class));
    addDeserializer(ObjectValue.class, new JacksonValueDeserializer<>(ObjectValue.class));
    addDeserializer(ListValue.class, new JacksonValueDeserializer<>(ListValue.class));
  }

  /// Writes a [Value] in an answer with Jackson.
  private static final class JacksonValueSerializer extends ValueSerializer<Value> {

    @Override
    public void serialize(Value value, JsonGenerator out, SerializationContext context) {
      new ValueOutput(out).write(value);
    }
  }

  private static final class ValueOutput {
    private static final int YIELD_EVERY = 4_096;
    private final JsonGenerator out;
    private int values;

    ValueOutput(JsonGenerator out) {
      this.out = out;
    }

    void write(Value value) {
      values++;
      if (values % YIELD_EVERY == 0) {
        CarrierYield.now();
      }
      switch (value) {
        case Value.Null _ -> out.writeNull();
        case Value.Bool(var flag) -> out.writeBoolean(flag);
        case Value.Int(var number) -> out.writeNumber(number);
        case Value.Real(var number) -> out.writeNumber(number);
        case Value.Text(var text) -> out.writeString(text);
        case ListValue list -> {
          out.writeStartArray();
          list.forEach(this::write);
          out.writeEndArray();
        }
        case ObjectValue object -> {
          out.writeStartObject();
          object.forEach((key, member) -> {
            out.writeName(key);
            write(member);
          });
          out.writeEndObject();
        }
      }
    }
  }
}
