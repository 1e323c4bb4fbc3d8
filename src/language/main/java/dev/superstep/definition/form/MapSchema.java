package dev.superstep.definition.form;

import dev.superstep.definition.Codes;
import dev.superstep.graph.Location;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.state.value.Value;
import java.util.LinkedHashMap;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.BiConsumer;

/// The schema of an object whose keys the author chooses.
record MapSchema(SchemaTypes.TextCheck key, Schema member, int membersMax) implements Schema {

  @Override
  public Optional<Value> read(Value value, Location at) {
    if (!(value instanceof ObjectValue object)) {
      Schema.wrongType(at, "an object", value);
      return Optional.empty();
    }
    if (object.size() > membersMax) {
      at.error(
          Codes.TOO_MANY,
          "has %d entries, at most %d are allowed".formatted(object.size(), membersMax));
      return Optional.empty();
    }
    var members = new LinkedHashMap<String, Value>();
    object.forEach((name, sent) -> {
      var here = at.key(name);
      var read = member.read(sent, here);
      if (key.accepts(name, here)) {
        read.ifPresent(it -> members.put(name, it));
      }
    });
    return Optional.of(ObjectValue.of(members));
  }

  @Override
  public Set<String> codes() {
    var codes = new TreeSet<>(member.codes());
    codes.addAll(Set.of(Codes.WRONG_TYPE, Codes.TOO_MANY, Codes.INVALID_NAME, Codes.RESERVED_NAME));
    return codes;
  }

  @Override
  public ObjectValue schema(Audience audience) {
    var schema = SchemaText.mapOf(member.schema(audience));
    return audience == Audience.AUTHOR ? schema.plus("maxProperties", membersMax) : schema;
  }

  @Override
  public void collect(Audience audience, BiConsumer<String, ObjectValue> schemas) {
    member.collect(audience, schemas);
  }
}
