package dev.superstep.json;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.superstep.state.value.Value;
import org.junit.jupiter.api.Test;

class KeptSchemasTests {
  private final KeptSchemas schemas = new KeptSchemas();

  @Test
  void compilesEqualSchemasOnce() {
    var first = schemas.compile(Json.read("{\"type\": \"string\", \"minLength\": 2}"));
    var same = schemas.compile(Json.read("{\"minLength\": 2, \"type\": \"string\"}"));
    var other = schemas.compile(Json.read("{\"type\": \"string\", \"minLength\": 3}"));

    assertThat(same).isSameAs(first);
    assertThat(first.check(Value.of("no"))).isEmpty();
    assertThat(other.check(Value.of("no"))).hasSize(1);
  }

  @Test
  void refusesTheSameInvalidSchemaEachTime() {
    var schema = Json.read("{\"type\": \"strin\"}");

    for (int i = 0; i < 2; i++) {
      assertThatThrownBy(() -> schemas.compile(schema)).isInstanceOf(InvalidSchemaException.class);
    }
  }
}
