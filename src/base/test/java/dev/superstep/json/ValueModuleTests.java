package dev.superstep.json;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import dev.superstep.graph.Violation;
import dev.superstep.state.value.ListValue;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.state.value.Value;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.json.JsonMapper;

class ValueModuleTests {
  private final JsonMapper mapper = JsonMapper.builder().addModule(new ValueModule()).build();

  record Body(
      @Nullable Value value,
      @Nullable ObjectValue object,
      @Nullable ListValue list,
      @Nullable List<Value> values,
      @Nullable Map<String, Value> map) {}

  @Test
  void readsAndWritesValuesInRequestTypes() {
    var text =
        "{\"value\":{\"a\":[1,1.0,null]},\"object\":{\"b\":1},\"list\":[2],\"values\":[null,3],"
            + "\"map\":{\"k\":true}}";
    var body = mapper.readValue(text, Body.class);
    assertThat(body.value()).isEqualTo(Json.read("{\"a\": [1, 1.0, null]}"));
    assertThat(body.values()).containsExactly(Value.NULL, Value.of(3));
    assertThat(mapper.writeValueAsString(body)).isEqualTo(text);
  }

  @Test
  void tellsNullFromAbsent() {
    assertThat(mapper.readValue("{\"value\": null, \"object\": null}", Body.class))
        .isEqualTo(new Body(Value.NULL, null, null, null, null));
    assertThat(mapper.readValue("{}", Body.class))
        .isEqualTo(new Body(null, null, null, null, null));
  }

  @Test
  void pointsFromTheRootOfTheBody() {
    var text = "{\"map\": {\"x\": {\n\"a\": [1, 1e999], \"b\": 1, \"b\": \"\\u0000\"}}}";
    assertThatThrownBy(() -> mapper.readValue(text, Body.class))
        .isInstanceOfSatisfying(
            JsonException.class,
            e ->
                assertThat(e.problems())
                    .extracting(Violation::code, Violation::pointer, Violation::line)
                    .containsExactly(
                        tuple("number_not_representable", "/map/x/a/1", 2),
                        tuple("duplicate_key", "/map/x/b", 2),
                        tuple("nul_character", "/map/x/b", 2)));
  }

  @Test
  void refusesTheWrongType() {
    assertThatThrownBy(() -> mapper.readValue("{\"object\": [1]}", Body.class))
        .isInstanceOfSatisfying(
            JsonException.class,
            e ->
                assertThat(e.problems())
                    .singleElement()
                    .returns("wrong_type", Violation::code)
                    .returns("/object", Violation::pointer));
  }
}
